import type { ExpectationDraft, ServerId } from '@/backend/bindings';
import type { ExactValue } from '@/lib/json/exact';
import { type Passed, showDialog } from '@/state/dialogs';
import { expectationsOf } from './expectations';

/** Asks under which name a request is to be saved as a test of the project. */
export function saveRequest(
  server: ServerId,
  name: string,
  method: string,
  /** JSON text of an object; it is kept as it is written. */
  params: string,
): void {
  saveCall({ server, name, method, params });
}

/** A call that was answered. */
export interface AnsweredCall {
  server: ServerId;
  /** The tool, prompt or resource. */
  name: string;
  method: string;
  params: string;
  /** The request where it has just been answered, and without an error. */
  passedBy?: Passed | undefined;
}

/** Asks the same for a call that was answered; with an expectation, also to which test that is added. */
export function saveCall(call: AnsweredCall, expected?: ExpectationDraft): void {
  showDialog({ kind: 'save-request', ...call, expected });
}

/**
 * Returns the menu at a value of a result: what is chosen becomes an expectation of a test.
 * `within` leads from the result to the value that is drawn, such as `structuredContent`.
 */
export function expectMenu(call: AnsweredCall, within: readonly (string | number)[] = []) {
  return {
    label: EXPECT,
    entries: (path: readonly (string | number)[], value: ExactValue) =>
      expectationsOf('result', [...within, ...path], value).map(({ title, draft }) => ({
        id: draft.is,
        title,
        run: () => saveCall(call, draft),
      })),
  };
}

/** The word on the button at a value. */
export const EXPECT = 'Expect';

/** The parameters of a call: its arguments stay as they are written. */
export function callParams(name: string, input: string): string {
  // Line breaks stand between the tokens of JSON alone.
  const indented = input.replaceAll('\n', '\n  ');
  return `{\n  "name": ${JSON.stringify(name)},\n  "arguments": ${indented}\n}`;
}
