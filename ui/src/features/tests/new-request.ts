/** Methods that a new request can have. Another one is written into the file. */
export const METHODS = [
  'tools/call',
  'prompts/get',
  'resources/read',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'ping',
];

/** The method of a new request, unless the user chooses another. */
export const FIRST_METHOD = 'tools/call';

/** Parameters of a new request as JSON: the least that the method takes. */
export function firstParams(method: string, subject: string): string {
  switch (method) {
    case 'tools/call':
    case 'prompts/get':
      return JSON.stringify({ name: subject, arguments: {} }, null, 2);
    case 'resources/read':
      return JSON.stringify({ uri: subject }, null, 2);
    default:
      return '{}';
  }
}
