/** All texts of results, in one place. Those of outcomes are in outcome.ts. */
import { formatCount, formatQuantity, formatSize } from '@/lib/format';

export const RESULT = {
  label: (identity?: string) => (identity === undefined ? 'Result' : `Result as ${identity}`),
  menu: 'Views and actions of the result',
  views: { result: 'Result', raw: 'Raw', request: 'Request' },
  viewsOf: 'Views of the result',
  save: 'Save…',
  saveText: 'Save text…',
  saveNamed: (name: string) => `Save ${name}`,
  saved: (path: string) => `Saved to ${path}`,
  wire: (time: string) => `(server: ${time})`,
  wireMeaning:
    'From the request to its response, as in Calls. Sightglass took the rest of the time.',
  showTraffic: 'Show the messages',
  progress: 'Progress',
  connecting: 'Waiting for the connection',
  runningFor: (time: string) => `Running for ${time}`,
  progressOf: (done: number, total: number) => `${done} of ${total}`,
} as const;

/** The buttons that start and stop a request. */
export const RUN = {
  stop: 'Stop',
  restart: 'Restart and run again',
  save: 'Save as test…',
} as const;

/** The check against the output schema. */
export const CHECK = {
  notChecked: (reason: string) => `▲ not checked: ${reason}`,
  valid: '✓ matches output schema',
  violations: (count: number) => `✕ ${formatQuantity(count, 'violation')} of the output schema`,
  list: 'Violations of the output schema',
  whole: '(whole)',
} as const;

/** Whole messages. */
export const MESSAGE = {
  indented: 'Indented',
  asSent: 'As sent',
  notOnRecord: (what: string) => `The ${what} is not on record.`,
  whole: (what: string) => `The whole JSON-RPC ${what}`,
  form: (what: string) => `Form of the ${what}`,
  label: (what: string) => `The ${what}`,
} as const;

export const COPY = {
  result: 'Copy the result as JSON',
  text: 'Copy the text',
  request: 'Copy the request as JSON-RPC',
  save: 'Save to a file…',
  copied: (what: string) => `Copied the ${what}`,
} as const;

/** Content blocks. */
export const CONTENT = {
  text: 'text',
  unknown: 'unknown',
  unknownKind: 'not a content type of MCP',
  showMedia: 'Show it',
  showBytes: 'Show bytes',
  bytesOf: (name: string) => `Bytes of ${name}`,
  resourceLink: 'resource link',
  read: 'Read',
  readNamed: (uri: string) => `Read ${uri}`,
  structured: 'Structured content',
  alsoAsText: 'also sent as text',
  errorData: 'Data of the error',
  viewOf: (name: string) => `View of ${name}`,
  asJson: (name: string) => `${name} as JSON`,
  views: { text: 'Text', json: 'JSON', markdown: 'Markdown', image: 'Image', table: 'Table' },
  notOnRecord: (size: number) => `${formatSize(size)} are not on record, because recording is off.`,
  showImage: (size: number) => `Show the image (${formatSize(size)})`,
  loading: (size: number) => `Loading ${formatSize(size)}`,
} as const;

/** The question before a link is opened. */
export const ADDRESS = {
  title: 'Open this address?',
  copy: 'Copy address',
  copied: 'Copied the address',
  open: 'Open in browser',
  fromServer: 'The server sent this link. It opens in your browser, outside this window.',
  notOpened: 'Only http and https addresses can be opened from here.',
} as const;

/** The search within a result. */
export const SEARCH = {
  field: 'Search in this result',
  open: 'Search in this result',
  next: 'Next match',
  previous: 'Previous match',
  close: 'Close the search',
  none: 'No match',
  view: 'Result with matches',
} as const;

/** The match at hand among all of them. */
export function countText(index: number, total: number): string {
  return `${formatCount(index + 1)} of ${formatCount(total)}`;
}
