import type { ServerId } from '@/backend/bindings';
import { useDialogs } from '@/state/dialogs';

/** Asks under which name a call is to be saved as a request of the project. */
export function saveCall(server: ServerId, tool: string, input: string): void {
  // Line breaks stand between the tokens of JSON alone.
  const indented = input.replaceAll('\n', '\n  ');
  const params = `{\n  "name": ${JSON.stringify(tool)},\n  "arguments": ${indented}\n}`;
  useDialogs.getState().show({
    kind: 'save-request',
    server,
    method: 'tools/call',
    params,
    name: tool,
  });
}
