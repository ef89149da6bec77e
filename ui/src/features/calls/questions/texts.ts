/** All texts of the questions of a server and of the folders that it is told. */
export const QUESTIONS = {
  label: 'Questions',
  folders: 'Folders',
  rules: 'Rules',
  ended: 'ended',
};

/** All texts of the rules that answer questions. */
export const RULES = {
  title: 'Rules that answer questions',
  list: 'Rules that answer questions',
  meaning:
    'The first rule that is about a question answers it in your place; without one you are asked. A server of a project gets an answer only from a rule that names the project’s folder.',
  none: 'No rules. Choose “Always answer like this” at an open question, or write one.',
  broken: 'The file of the rules is broken, so none of them answers. Line',
  edit: 'Edit rules',
  always: 'Always answer like this',
  make: 'Make a rule',
  leftOut: (fields: string) =>
    `Not in the rule: ${fields}. A secret is not kept as plain text, and a text with {{ is filled in.`,
  asText: 'Edit as text',
  text: 'Rules',
  example:
    '[[rule]]\nname   = "Introduce me"\nserver = "demo"\nkind   = "form"      # form, url, sampling\nthen   = "accept"    # accept, decline, cancel, ask\nvalues = { name = "Ada", "*" = "{{field.default}}" }',
  name: 'Rule',
  about: 'About',
  answer: 'Answer',
  fired: 'Answers given',
  answered: 'Answered by rules',
  saved: 'The rules are saved and count from now on.',
  save: 'Save',
} as const;

export const ROOTS = {
  label: 'Folders',
  title: 'Folders this server may use (roots)',
  list: 'Folders this server may use',
  meaning: 'A server that asks where it may work (roots/list) gets these folders at once.',
  byDefault: 'Default: the project’s folder.',
  noneByDefault: 'Default: none, because the project’s folder is not trusted.',
  chosen: 'You chose them for this server.',
  none: 'None',
  remove: (folder: string) => `Remove ${folder}`,
  useDefault: 'Use the default',
  toAdd: 'Folder to add',
  placeholder: '/path/to/folder',
  add: 'Add folder',
  neverAsked: 'The server has not asked for them yet.',
  answered: 'Answered automatically',
  noFolders: 'no folders',
};
