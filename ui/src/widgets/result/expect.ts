import { createContext, useContext, useMemo } from 'react';
import { fromPointer } from '@/lib/json/pointer';
import { type AnsweredCall, expectMenu } from '@/state/tests/save-request';
import type { JsonAction } from '@/widgets/json-view/ValueMenu';

/** The call whose answer is shown; null where it cannot be made again as it was. */
export const AnsweredCallContext = createContext<AnsweredCall | null>(null);

/**
 * Returns the menu at the values of a part of the answer, which turns one into an expectation of a
 * test. `pointer` leads from the message to the part.
 */
export function useExpectMenu(pointer: string): JsonAction | undefined {
  const call = useContext(AnsweredCallContext);
  return useMemo(() => {
    const within = call && pathInResult(pointer);
    return within ? expectMenu(call, within) : undefined;
  }, [call, pointer]);
}

/** The members and indices that lead from the result to a part; null for a part of an error. */
export function pathInResult(pointer: string): (string | number)[] | null {
  const [part, ...steps] = fromPointer(pointer);
  if (part !== 'result') return null;
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
