import { act, renderHook } from '@testing-library/react';
import type { PropsWithChildren } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { SchemaCheck } from '@/backend/bindings';
import { stubBackend } from '@/test-support/backend';
import { useSchemaCheck } from './schema-check';

const VALID: SchemaCheck = { valid: true, problems: [], notChecked: null };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Has a value checked, and answers when it is told to. */
async function open(first: string | undefined) {
  const asked: { value: string; answer(check: SchemaCheck): void; fail(): void }[] = [];
  const checkValue = (_schema: string, value: string) =>
    new Promise<SchemaCheck>((answer, fail) => {
      asked.push({ value, answer, fail: () => fail(new Error('gone')) });
    });
  const backend = stubBackend({ checkValue });
  const wrapper = ({ children }: PropsWithChildren) => (
    <BackendContext.Provider value={backend}>{children}</BackendContext.Provider>
  );
  const hook = renderHook(({ value }) => useSchemaCheck('{}', value), {
    wrapper,
    initialProps: { value: first },
  });
  await act(async () => {});
  return {
    values: () => asked.map(({ value }) => value),
    type: async (value: string | undefined) => {
      hook.rerender({ value });
      await act(async () => void (await vi.advanceTimersByTimeAsync(200)));
    },
    answer: (index: number, check: SchemaCheck) => act(async () => asked[index]?.answer(check)),
    fail: (index: number) => act(async () => asked[index]?.fail()),
    check: () => hook.result.current,
  };
}

it('checks the first value at once, and what is typed when that rests', async () => {
  const form = await open('1');
  expect(form.values()).toEqual(['1']);
  expect(form.check()).toBeUndefined();
  await form.answer(0, VALID);
  expect(form.check()).toBe(VALID);
  await form.type('2');
  expect(form.values()).toEqual(['1', '2']);
  expect(form.check()).toBe(VALID);
});

it('makes one check at a time, and then that of the newest value', async () => {
  const form = await open('1');
  for (const value of ['2', '3', '4']) await form.type(value);
  expect(form.values()).toEqual(['1']);
  await form.answer(0, { ...VALID, valid: false });
  expect(form.values()).toEqual(['1', '4']);
  // The answer about a value that is no longer there says nothing.
  expect(form.check()).toBeUndefined();
  await form.answer(1, VALID);
  expect(form.check()).toBe(VALID);
});

it('knows nothing without a value, and says when a value could not be checked', async () => {
  const form = await open(undefined);
  expect(form.values()).toEqual([]);
  await form.type('1');
  await form.fail(0);
  expect(form.check()?.notChecked).toBe('the check itself failed');
  await form.type(undefined);
  expect(form.check()).toBeUndefined();
});
