/** All texts of the questions of a server and of the folders that it is told. */
export const QUESTIONS = {
  label: 'Questions',
  folders: 'Folders',
  ended: 'ended',
};

export const ROOTS = {
  label: 'Folders',
  title: 'Folders this server may use (roots)',
  list: 'Folders this server may use',
  meaning: 'A server that sends roots/list gets these folders at once.',
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
