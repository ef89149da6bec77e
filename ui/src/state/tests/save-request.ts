import type { ServerId } from '@/backend/bindings';
import { useDialogs } from '@/state/dialogs';

/** Asks under which name a request is to be saved as a file of the project. */
export function saveRequest(
  server: ServerId,
  name: string,
  method: string,
  /** JSON text of an object; it is kept as it is written. */
  params: string,
): void {
  useDialogs.getState().show({ kind: 'save-request', server, method, params, name });
}

/** The parameters of a call: its arguments stay as they are written. */
export function callParams(name: string, input: string): string {
  // Line breaks stand between the tokens of JSON alone.
  const indented = input.replaceAll('\n', '\n  ');
  return `{\n  "name": ${JSON.stringify(name)},\n  "arguments": ${indented}\n}`;
}
