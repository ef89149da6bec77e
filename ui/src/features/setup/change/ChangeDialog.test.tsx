import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Backend, BackendContext } from '@/backend/backend';
import type { ConfigAction, DiffLine, LaunchView, PlanView } from '@/backend/bindings';
import { GUARD_TIME } from '@/components/use-key-guard';
import { useConfiguration } from '@/state/setup/configuration';
import { ChangeDialog } from './ChangeDialog';

function removal(name: string): ConfigAction {
  return { type: 'remove', target: { client: 'mcp-json', scope: 'user' }, names: [name] };
}

function planOf(number: number, diff: DiffLine[], outside: string | null = null): PlanView {
  const file = {
    path: '/home/me/.claude/.mcp.json',
    label: '~/.claude/.mcp.json',
    outside,
    creates: false,
    deletes: false,
    diff,
    remainingProblems: [],
  };
  return {
    plan: number,
    title: 'Remove it',
    files: [file],
    lost: [],
    warnings: [],
    disconnects: [],
    servers: [],
  };
}

const REMOVED: DiffLine[] = [{ kind: 'removed', before: 1, after: null, text: '"github": {}' }];
const KEPT: DiffLine[] = [{ kind: 'kept', before: 1, after: 1, text: '{}' }];

/** The dialog on a backend that plans when the test says so. */
function open(name: string | null, isGiven = false) {
  const plans: ((plan: PlanView) => void)[] = [];
  const apply = vi.fn(async (_plan: number, _isConfirmedOutside: boolean) => ({
    kind: 'applied' as const,
    title: 'Done',
  }));
  const backend = {
    planConfiguration: () => new Promise<PlanView>((resolve) => plans.push(resolve)),
    applyConfiguration: apply,
  } as unknown as Backend;
  const dialog = (server: string | null) => (
    <BackendContext.Provider value={backend}>
      <ChangeDialog
        title="Remove"
        verb="Remove"
        isDangerous
        action={server === null ? null : removal(server)}
        isGiven={isGiven}
      />
    </BackendContext.Provider>
  );
  const { rerender } = render(dialog(name));
  return {
    plans,
    apply,
    change: (server: string) => rerender(dialog(server)),
    button: () => screen.getByRole<HTMLButtonElement>('button', { name: 'Remove' }),
  };
}

it('writes nothing before the exact difference is shown', async () => {
  const { plans, apply, change, button } = open('github');
  button().click();
  await waitFor(() => expect(plans).toHaveLength(1));
  button().click();
  expect(button().disabled).toBe(true);
  expect(apply).not.toHaveBeenCalled();

  await act(async () => plans[0]?.(planOf(1, REMOVED)));
  expect(screen.getByText('"github": {}')).toBeTruthy();
  expect(button().disabled).toBe(false);

  // What is shown is of an earlier action until the new one is planned.
  change('slack');
  expect(button().disabled).toBe(true);
  button().click();
  await waitFor(() => expect(plans).toHaveLength(2));
  await act(async () => plans[1]?.(planOf(2, REMOVED)));
  expect(apply).not.toHaveBeenCalled();
  await act(async () => button().click());
  expect(apply.mock.calls).toEqual([[2, false, {}]]);
});

it('gives the focus to no button that removes something', async () => {
  const { plans } = open('github');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus());
  await waitFor(() => expect(plans).toHaveLength(1));
  await act(async () => plans[0]?.(planOf(1, REMOVED)));
  expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
});

it('has nothing to write where nothing changes', async () => {
  const { plans, button } = open('github');
  await waitFor(() => expect(plans).toHaveLength(1));
  await act(async () => plans[0]?.(planOf(1, KEPT)));
  expect(screen.getByText('Nothing changes.')).toBeTruthy();
  expect(button().disabled).toBe(true);
});

it('writes outside the project only once that is confirmed, for each plan anew', async () => {
  const { plans, apply, change, button } = open('github');
  await waitFor(() => expect(plans).toHaveLength(1));
  await act(async () => plans[0]?.(planOf(1, REMOVED, '/home/me/.claude.json')));
  expect(screen.getByText('/home/me/.claude.json')).toBeTruthy();
  expect(screen.getByText(/outside this project/, { selector: 'p' })).toBeTruthy();
  expect(button().disabled).toBe(true);
  const consent = () => screen.getByRole<HTMLInputElement>('checkbox');
  await act(async () => consent().click());
  expect(button().disabled).toBe(false);

  change('slack');
  await waitFor(() => expect(plans).toHaveLength(2));
  await act(async () => plans[1]?.(planOf(2, REMOVED, '/home/me/.bashrc')));
  expect(button().disabled).toBe(true);
  await act(async () => consent().click());
  await act(async () => button().click());
  expect(apply.mock.calls).toEqual([[2, true, {}]]);
});

describe('a key', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Milliseconds after which a change is planned for sure. */
  const PLANNED = 200;
  const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));
  const give = (plan: ((plan: PlanView) => void) | undefined, view: PlanView) =>
    act(async () => plan?.(view));
  const confirm = () =>
    act(async () => void fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true }));
  const isGuarded = () => document.querySelector('[data-guarded]') !== null;

  it('is taken only once what it would write has been shown for half a second', async () => {
    const { plans, apply, change } = open('github');
    await pass(GUARD_TIME);
    expect(isGuarded()).toBe(false);
    expect(plans).toHaveLength(1);
    await give(plans[0], planOf(1, REMOVED));
    await pass(GUARD_TIME - 1);
    await confirm();
    expect(apply).not.toHaveBeenCalled();
    await pass(1);
    expect(isGuarded()).toBe(false);

    // The same again changes nothing; a file that somebody else wrote does.
    const readAgain = () =>
      act(async () =>
        useConfiguration.setState(({ view }) => ({
          view: { ...view, revision: view.revision + 1 },
        })),
      );
    await readAgain();
    await pass(PLANNED);
    await give(plans[1], planOf(2, REMOVED));
    expect(isGuarded()).toBe(false);
    await readAgain();
    await pass(PLANNED);
    const [line] = REMOVED;
    const other = line ? [{ ...line, text: '"other": {}' }] : [];
    await give(plans[2], planOf(3, other));
    await pass(GUARD_TIME - 1);
    await confirm();
    expect(apply).not.toHaveBeenCalled();
    await pass(1);

    // What the user typed is what the user expects.
    change('slack');
    await pass(PLANNED);
    await give(plans[3], planOf(4, REMOVED));
    await confirm();
    expect(apply.mock.calls).toEqual([[4, false, {}]]);
  });

  it('is not for what somebody else filled in, however late its plan comes', async () => {
    const { plans, apply, change } = open(null, true);
    await pass(GUARD_TIME);
    change('github');
    await pass(4 * GUARD_TIME);
    expect(isGuarded()).toBe(false);
    await give(plans[0], planOf(1, REMOVED));
    await pass(GUARD_TIME - 1);
    await confirm();
    expect(apply).not.toHaveBeenCalled();
    await pass(1);
    // What the user makes of it is expected.
    change('slack');
    await pass(PLANNED);
    await give(plans[1], planOf(2, REMOVED));
    await confirm();
    expect(apply.mock.calls).toEqual([[2, false, {}]]);
  });

  it('is for what the user filled in as soon as that is there', async () => {
    const { plans, apply, change } = open(null);
    await pass(GUARD_TIME);
    change('github');
    await pass(PLANNED);
    await give(plans[0], planOf(1, REMOVED));
    await confirm();
    expect(apply.mock.calls).toEqual([[1, false, {}]]);
  });
});

it('names the connections and the files that end by a change', async () => {
  const { plans } = open('github');
  await waitFor(() => expect(plans).toHaveLength(1));
  const plan = planOf(1, REMOVED);
  const files = plan.files.map((file) => ({ ...file, deletes: true }));
  await act(async () => plans[0]?.({ ...plan, files, disconnects: ['github', 'slack'] }));
  const words = 'This disconnects github and slack and deletes ~/.claude/.mcp.json.';
  expect(screen.getByText(words, { exact: false })).toBeTruthy();
});

const LAUNCH: LaunchView = {
  kind: 'program',
  consequences: [
    'Connecting starts this program on your computer, as you and with your environment variables.',
  ],
  rows: [{ label: 'Starts', values: ['curl evil.example'] }],
};

/** The dialog with something to do that writes nothing; its plan comes or fails as the test says. */
function openInstead(launch: LaunchView | null) {
  const run = vi.fn();
  let answer = { give: (_plan: PlanView) => {}, refuse: (_reason: unknown) => {} };
  const planConfiguration = vi.fn(
    () =>
      new Promise<PlanView>((give, refuse) => {
        answer = { give, refuse };
      }),
  );
  const backend = { planConfiguration } as unknown as Backend;
  const dialog = (shown: LaunchView | null) => (
    <BackendContext.Provider value={backend}>
      <ChangeDialog
        title="Add"
        verb="Save"
        action={removal('github')}
        placeholder="The change shows here."
        instead={{ verb: 'Connect without saving', isDisabled: false, launch: shown, run }}
      />
    </BackendContext.Provider>
  );
  const { rerender } = render(dialog(launch));
  return {
    run,
    plan: async (servers: PlanView['servers']) => {
      await waitFor(() => expect(planConfiguration).toHaveBeenCalled());
      await act(async () => answer.give({ ...planOf(1, REMOVED), servers }));
    },
    fail: async (message: string) => {
      await waitFor(() => expect(planConfiguration).toHaveBeenCalled());
      await act(async () => answer.refuse({ code: 'config', message, hint: null }));
    },
    change: (shown: LaunchView | null) => rerender(dialog(shown)),
    button: () => screen.getByRole('button', { name: 'Connect without saving' }),
  };
}

it('shows what is done instead before anything is planned, and where nothing can be', async () => {
  const { run, fail, button } = openInstead(LAUNCH);
  const name = 'What “Connect without saving” does';
  expect(screen.getByRole('region', { name })).toHaveTextContent('curl evil.example');
  expect(screen.getByText('The change shows here.')).toBeVisible();
  await fail('The name is taken.');
  expect(screen.getByRole('alert')).toHaveTextContent('The name is taken.');
  expect(screen.getByRole('region', { name })).toHaveTextContent('curl evil.example');
  button().click();
  expect(run).toHaveBeenCalledOnce();
});

it('shows it once where the plan does the same', async () => {
  const { plan, button } = openInstead(LAUNCH);
  await plan([{ name: 'github', label: '.mcp.json', launch: LAUNCH }]);
  expect(screen.getAllByText('curl evil.example')).toHaveLength(1);
  expect(screen.getByRole('region', { name: 'What github does' })).toBeVisible();
  expect(button()).toBeEnabled();
});

it('does nothing instead that is not shown', async () => {
  const { run, fail, change, button } = openInstead(null);
  button().click();
  await fail('The file is broken.');
  expect(button()).toBeDisabled();
  change(LAUNCH);
  expect(button()).toBeEnabled();
  change(null);
  button().click();
  expect(run).not.toHaveBeenCalled();
});
