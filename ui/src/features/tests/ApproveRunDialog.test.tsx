import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { RequestApproval } from '@/backend/bindings';
import { GUARD_TIME } from '@/components/use-key-guard';
import { type RunWish, useRequestFiles } from '@/state/tests/request-files';
import { stubBackend } from '@/test-support/backend';
import { ApproveRunDialog } from './ApproveRunDialog';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  useRequestFiles.setState({ waiting: null });
  vi.useRealTimers();
});

function approval(fingerprint: string): RequestApproval {
  return {
    server: `inline:${fingerprint}`,
    title: `Start ${fingerprint}`,
    fingerprint,
    consequences: [],
    rows: [],
    values: [],
    files: [`${fingerprint}.json`],
  };
}

/** The dialog on a backend that lists approvals when the test says so. */
function open() {
  const lists: ((approvals: RequestApproval[]) => void)[] = [];
  const approveRequests = vi.fn(async () => null);
  const backend = stubBackend({
    listRequestApprovals: () => new Promise((resolve) => lists.push(resolve)),
    approveRequests,
    startRequestRun: vi.fn(async () => 1),
  });
  render(
    <BackendContext.Provider value={backend}>
      <ApproveRunDialog />
    </BackendContext.Provider>,
  );
  const wish = (): RunWish => ({
    selection: { paths: [], tag: null, server: null },
    update: false,
  });
  const wait = () => act(async () => useRequestFiles.getState().wait(wish()));
  const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));
  const list = (number: number, approvals: RequestApproval[]) =>
    act(async () => lists[number]?.(approvals));
  const approve = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Approve/ });
  const confirm = () =>
    act(async () => void fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true }));
  return { approveRequests, wait, pass, list, approve, confirm };
}

it('approves nothing but what is shown of the run that waits', async () => {
  const { approveRequests, wait, pass, list, approve } = open();
  await wait();
  await pass(GUARD_TIME);
  expect(approve()).toBeDisabled();
  await list(0, [approval('first')]);
  expect(screen.getByText('Start first')).toBeVisible();
  expect(approve()).toBeEnabled();

  // Another run: what was listed for the one before is neither shown nor approved.
  await wait();
  await pass(GUARD_TIME);
  expect(screen.queryByText('Start first')).toBeNull();
  expect(approve()).toBeDisabled();
  await list(1, [approval('second')]);
  await act(async () => approve().click());
  const decisions = [{ server: 'inline:second', fingerprint: 'second' }];
  expect(approveRequests.mock.calls).toEqual([[expect.anything(), decisions]]);
});

it('takes no key for what has only just been listed', async () => {
  const { approveRequests, wait, pass, list, confirm } = open();
  await wait();
  await pass(4 * GUARD_TIME);
  await list(0, [approval('late')]);
  await pass(GUARD_TIME - 1);
  await confirm();
  expect(approveRequests).not.toHaveBeenCalled();
  await pass(1);
  await confirm();
  expect(approveRequests).toHaveBeenCalledOnce();
});
