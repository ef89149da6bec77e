import type { RequestVerdict } from '@/backend/bindings';

/** All texts of the requests of a project. */
export const REQUESTS = {
  title: 'Requests',
  tree: 'Requests of this project',
  search: 'Search requests',
  runAll: 'Run all',
  runShown: (count: number) => `Run ${count}`,
  run: 'Run',
  runFolder: (folder: string) => `Run ${folder}`,
  stop: 'Stop',
  updateSnapshots: 'Update snapshots',
  stubs: (server: string) => `Write a request for each tool of ${server}`,
  openFolder: 'Open a folder of requests',
  opened: (directory: string) => `Requests of ${directory}`,
  showProject: 'Show those of the project',
  watch: 'Run again on change',
  watchTitle: 'Run again on change',
  watchMeaning:
    'Whenever something below this path changes, the servers of these requests are started anew and the requests run again.',
  watchPath: 'Source of the server',
  watchHint: 'A file or a folder; a relative path begins in the project.',
  watchStart: 'Run and watch',
  watching: (path: string) => `Watching ${path}`,
  stopWatching: 'Stop watching',
  folderMeaning:
    'The requests of a folder run one after another, so that one can use what an earlier one captured.',
  environment: 'Environment',
  noEnvironment: 'No environment',
  tag: 'Tag',
  allTags: 'All tags',
  more: 'More',
  rootFolder: 'requests',
  noneTitle: 'No requests yet',
  none: 'A request is a file of the project: a call, and what its answer has to be. Save one with “Save request” beside a tool, a prompt, a resource or a row of Traffic.',
  noneFiles: 'Files are read from',
  noneCommand: 'On the command line they run with',
  command: 'sightglass-cli test',
  nothingMatches: 'No request matches.',
  selectOne: 'Select a request to see it.',
  running: 'running',
  notRun: 'not run',
  skipped: (reason: string) => `Not run: ${reason}`,
  file: 'File',
  text: 'Text of the request',
  save: 'Save',
  discard: 'Discard',
  unsaved: 'not saved',
  saved: 'Saved.',
  answer: 'Answer',
  checks: 'Checks',
  noChecks: 'No expectations: it passes when the server answers without an error.',
  noAnswer: 'Run it to see the answer, and to expect values of it.',
  expected: 'expected',
  actual: 'actual',
  line: (line: number) => `line ${line}`,
  expectThis: 'Expect this value',
  expectAs: 'What is expected of a value',
  expects: (label: string) => `Expects ${label}.`,
  remove: 'Remove this expectation',
  showTraffic: 'Show in traffic',
  rename: 'Rename',
  move: 'Move to a folder',
  delete: 'Delete',
  deleted: (name: string) => `Deleted ${name}.`,
  moved: (folder: string) => `Moved to ${folder}.`,
  moveFolder: 'Rename folder',
  moveFolderHint: 'Below .sightglass/requests. Another path moves the folder there.',
  folderMoved: (folder: string) => `The folder is ${folder} now.`,
  name: 'Name',
  folder: 'Folder',
  folderHint: 'Below .sightglass/requests; a new one is made. Empty for none.',
  cancel: 'Cancel',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteMeaning: 'The file and its snapshot are removed from the project.',
  snapshotWritten: (value: string) => `Snapshot of ${value} written.`,
};

export const SAVE_REQUEST = {
  title: 'Save request',
  meaning:
    'Writes a file into the project. It expects an answer without an error; add more once it is saved.',
  save: 'Save request',
  saved: (path: string) => `Saved ${path}.`,
  open: 'Open',
};

export const NEW_REQUEST = {
  title: 'New request',
  server: 'Server',
  method: 'Method',
  subjects: {
    'tools/call': 'Tool',
    'prompts/get': 'Prompt',
    'resources/read': 'Address of the resource',
  } as Readonly<Record<string, string>>,
  create: 'Create',
  noServer: 'Add a server first: a request names the one that it is sent to.',
};

export const APPROVE_RUN = {
  title: 'Approve what these requests do',
  meaning:
    'These files come with the project. Before they run, look at what they start and what they send.',
  sends: 'Sends',
  files: 'Requests',
  fileCount: (count: number, first: string) =>
    count === 1 ? first : `${first} and ${count - 1} more`,
  approve: 'Approve and run',
  runOthers: 'Run only the others',
};

export const VERDICTS: Record<RequestVerdict, string> = {
  passed: 'passed',
  failed: 'failed',
  error: 'not judged',
  skipped: 'skipped',
};
