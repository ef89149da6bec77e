import { fireEvent, render, renderHook, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { ServerQuestion } from '@/backend/bindings';
import { GUARD_TIME } from '@/components/use-key-guard';
import { lastInput } from '@/lib/last-input';
import { ACTIONS, type ActionId, KEY_PLACES, type KeyPlace, useAction } from '@/state/actions';
import { useNavigation } from '@/state/navigation';
import { showNote, useNotices } from '@/state/notices';
import { useServers } from '@/state/servers/servers';
import { stubBackend } from '@/test-support/backend';
import { demoServer } from '@/test-support/servers';
import QuestionPane from '@/widgets/questions/QuestionPane';
import { actionOfKey, matchesShortcut, useShortcuts } from './shortcuts';

function press(key: string, modifiers: KeyboardEventInit = {}): KeyboardEvent {
  return new KeyboardEvent('keydown', { key, ...modifiers });
}

const initial = useNavigation.getState();

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  document.body.replaceChildren();
  useNavigation.setState(initial);
  useNotices.setState({ notices: [] });
});

/** Returns the action that a shortcut asks for, pressed with the focus on an element. */
function actionAt(focused: Element, shortcut: string): string | undefined {
  const parts = shortcut.split('+');
  const key = parts.at(-1) ?? '';
  let found: string | undefined;
  const listen = (event: KeyboardEvent) => {
    found = actionOfKey(event)?.id;
  };
  window.addEventListener('keydown', listen, { capture: true, once: true });
  focused.dispatchEvent(
    new KeyboardEvent('keydown', {
      key: key === 'enter' ? 'Enter' : key,
      ctrlKey: parts.includes('mod'),
      shiftKey: parts.includes('shift'),
      bubbles: true,
    }),
  );
  return found;
}

/** The window, with one control in each of its parts. */
function drawWindow(): Readonly<
  Record<'sidebar' | 'main' | 'question' | 'traffic' | 'field', Element>
> {
  document.body.innerHTML = `
    <nav><button id="sidebar"></button></nav>
    <div data-main>
      <button id="main"></button>
      <input id="field">
      <div data-question><button id="question"></button></div>
    </div>
    <section data-drawer><button id="traffic"></button></section>`;
  const at = (id: string) => {
    const element = document.getElementById(id);
    if (!element) throw new Error(`there is no ${id}`);
    return element;
  };
  return {
    sidebar: at('sidebar'),
    main: at('main'),
    question: at('question'),
    traffic: at('traffic'),
    field: at('field'),
  };
}

describe('shortcuts', () => {
  it('tell Ctrl+F and Ctrl+Shift+F apart', () => {
    expect(matchesShortcut(press('f', { ctrlKey: true }), 'mod+f')).toBe(true);
    expect(matchesShortcut(press('F', { ctrlKey: true, shiftKey: true }), 'mod+f')).toBe(false);
    expect(matchesShortcut(press('F', { ctrlKey: true, shiftKey: true }), 'mod+shift+f')).toBe(
      true,
    );
  });

  it('find the question mark wherever the keyboard has it', () => {
    expect(actionOfKey(press('?', { shiftKey: true }))?.id).toBe('shortcuts.open');
    expect(actionOfKey(press('?'))?.id).toBe('shortcuts.open');
  });

  it('leave characters to the field in which the user types', () => {
    const field = document.createElement('input');
    document.body.append(field);
    let found: string | undefined = 'not asked';
    field.addEventListener('keydown', (event) => {
      found = actionOfKey(event)?.id;
    });
    field.dispatchEvent(press('?'));
    expect(found).toBeUndefined();
    field.dispatchEvent(press('k', { ctrlKey: true }));
    expect(found).toBe('palette.open');
  });

  it('act in the place that the table names, and nowhere else', () => {
    const parts = drawWindow();
    /** Parts of a window that shows the tools of a server in which the keys of a place act. */
    const inTools: Readonly<Record<KeyPlace, readonly (keyof typeof parts)[]>> = {
      window: ['sidebar', 'main', 'question', 'traffic', 'field'],
      'no-field': ['sidebar', 'main', 'question', 'traffic'],
      main: ['sidebar', 'main', 'field'],
      'not-connected': [],
      question: ['question'],
      setup: [],
      'sign-in': [],
      traffic: ['traffic'],
    };
    expect(Object.keys(inTools).toSorted()).toEqual(Object.keys(KEY_PLACES).toSorted());
    useNavigation.setState({ place: 'server', server: 'demo', tabs: { demo: 'tools' } });
    for (const { id, shortcut, place } of ACTIONS) {
      if (shortcut === undefined) continue;
      const found = Object.entries(parts).filter(([, part]) => actionAt(part, shortcut) === id);
      expect(found.map(([part]) => part).toSorted(), `${shortcut}: ${id}`).toEqual(
        inTools[place].toSorted(),
      );
    }
  });

  it('take files back in Setup alone, and leave what is typed to its field', () => {
    const parts = drawWindow();
    const undoes = () =>
      Object.entries(parts)
        .filter(([, part]) => actionAt(part, 'mod+z') === 'setup.undo')
        .map(([part]) => part);
    useNavigation.setState({ place: 'server', server: 'demo', tabs: { demo: 'settings' } });
    expect(undoes()).toEqual(['sidebar', 'main', 'question']);
    useNavigation.setState({ place: 'setup' });
    expect(undoes()).toEqual(['sidebar', 'main', 'question']);
    useNavigation.setState({ place: 'tests' });
    expect(undoes()).toEqual([]);
    // While its note is shown, the key does what the note offers.
    showNote('Removed files', { label: 'Undo', run: () => {}, id: 'setup.undo' });
    expect(undoes()).toEqual(['sidebar', 'main', 'question', 'traffic']);
    expect(actionAt(parts.main, 'mod+shift+z')).toBeUndefined();
    showNote('Something else');
    expect(undoes()).toEqual([]);
  });

  it('connect a server that is not connected, unless a call is shown', () => {
    const parts = drawWindow();
    useServers.setState({ servers: [demoServer()] });
    useNavigation.setState({ place: 'server', server: demoServer().id });
    expect(actionAt(parts.main, 'mod+enter')).toBe('server.connect');
    // Where it was chosen, and wherever else its button is seen.
    for (const part of [document.body, parts.sidebar, parts.traffic]) {
      expect(actionAt(part, 'mod+enter')).toBe('server.connect');
    }
    expect(actionAt(parts.field, 'mod+enter')).not.toBe('server.connect');
    useNavigation.setState({ trafficMaximised: true });
    expect(actionAt(parts.traffic, 'mod+enter')).toBeUndefined();
    useNavigation.setState({ trafficMaximised: false });
    expect(actionAt(parts.question, 'mod+enter')).toBe('question.accept');
    const { unmount } = renderHook(() => useAction('call.run', () => {}));
    for (const part of [parts.main, parts.sidebar]) {
      expect(actionAt(part, 'mod+enter')).toBe('call.run');
    }
    expect(actionAt(parts.traffic, 'mod+enter')).toBeUndefined();
    unmount();
    useServers.setState({ servers: [{ ...demoServer(), blocked: { type: 'waiting' } }] });
    expect(actionAt(parts.main, 'mod+enter')).not.toBe('server.connect');
    useServers.setState({ servers: [] });
  });

  it('continue a sign-in where it is looked at', () => {
    const parts = drawWindow();
    useNavigation.getState().open({ server: 'demo', section: 'sign-in', focus: 'none' });
    expect(actionAt(parts.main, 'f10')).toBe('auth.continue');
    expect(actionAt(document.body, 'f8')).toBe('auth.run');
    expect(actionAt(parts.traffic, 'f10')).toBeUndefined();
    expect(actionAt(parts.sidebar, 'f8')).toBeUndefined();
  });
});

/** Has the shortcuts work, with one action that is offered. */
function offer(id: ActionId, run: () => void): void {
  renderHook(() => {
    useShortcuts();
    useAction(id, run);
  });
}

const runKey = { key: 'Enter', ctrlKey: true };

describe('a key', () => {
  it('is noted before what it does, so that nothing seems pressed since', () => {
    let now = 1_000_000;
    vi.spyOn(Date, 'now').mockImplementation(() => {
      now += 1;
      return now;
    });
    const { main } = drawWindow();
    let began = 0;
    offer('call.run', () => {
      began = Date.now();
    });
    fireEvent.keyDown(main, runKey);
    expect(began).toBeGreaterThan(0);
    expect(lastInput()).toBeGreaterThan(1_000_000);
    expect(lastInput()).toBeLessThanOrEqual(began);
  });

  it('that is held down acts once, apart from those that go on from step to step', () => {
    const { sidebar } = drawWindow();
    const [refresh, zoom] = [vi.fn(), vi.fn()];
    offer('list.refresh', refresh);
    renderHook(() => useAction('zoom.in', zoom));
    for (const repeat of [false, true, true]) {
      fireEvent.keyDown(sidebar, { key: 'r', ctrlKey: true, repeat });
      fireEvent.keyDown(sidebar, { key: '=', ctrlKey: true, repeat });
    }
    expect(refresh).toHaveBeenCalledOnce();
    expect(zoom).toHaveBeenCalledTimes(3);
  });

  it('that is held down points to Setup once', () => {
    const { main } = drawWindow();
    useNavigation.setState({ place: 'tests' });
    offer('setup.undo', () => {});
    fireEvent.keyDown(main, { key: 'z', ctrlKey: true });
    const { notices } = useNotices.getState();
    expect(notices).toHaveLength(1);
    const isTaken = !fireEvent.keyDown(main, { key: 'z', ctrlKey: true, repeat: true });
    expect(isTaken).toBe(true);
    expect(useNotices.getState().notices).toEqual(notices);
  });
});

const QUESTION: ServerQuestion = {
  id: 1,
  server: 'mcp-json:docs',
  method: 'elicitation/create',
  params: JSON.stringify({ mode: 'url', message: 'Sign in', url: 'https://example.test/' }),
  at: null,
  call: null,
  frame: null,
  beforeAnotherTry: false,
  timeLeft: null,
  remark: null,
  awaitsModel: false,
};

/** A window that offers to run a tool, with or without a question of its call. */
function Window({ asks, onRun }: { asks: boolean; onRun: () => void }) {
  const region = useRef<HTMLElement>(null);
  useShortcuts();
  useAction('call.run', onRun);
  return (
    <div data-main>
      <section ref={region} tabIndex={-1} aria-label="Result">
        {asks && <QuestionPane question={QUESTION} heir={region} />}
      </section>
    </div>
  );
}

it('leave a call that was answered alone, though the same key is pressed again', () => {
  vi.useFakeTimers();
  const run = vi.fn();
  const draw = (asks: boolean) => (
    <BackendContext.Provider value={stubBackend()}>
      <Window asks={asks} onRun={run} />
    </BackendContext.Provider>
  );
  const { rerender } = render(draw(true));
  vi.advanceTimersByTime(GUARD_TIME * 4);
  screen.getByRole('button', { name: 'Decline' }).focus();
  rerender(draw(false));
  const region = screen.getByRole('region', { name: 'Result' });
  expect(region).toHaveFocus();
  fireEvent.keyDown(region, runKey);
  vi.advanceTimersByTime(GUARD_TIME - 1);
  fireEvent.keyDown(region, runKey);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  fireEvent.keyDown(region, runKey);
  expect(run).toHaveBeenCalledOnce();
});

it('run a call at once where a question went without the focus', () => {
  vi.useFakeTimers();
  const run = vi.fn();
  const draw = (asks: boolean) => (
    <BackendContext.Provider value={stubBackend()}>
      <Window asks={asks} onRun={run} />
    </BackendContext.Provider>
  );
  // Long after that of the test before.
  vi.advanceTimersByTime(GUARD_TIME * 10);
  const { rerender } = render(draw(true));
  rerender(draw(false));
  expect(document.body).toHaveFocus();
  fireEvent.keyDown(document.body, runKey);
  expect(run).toHaveBeenCalledOnce();
});
