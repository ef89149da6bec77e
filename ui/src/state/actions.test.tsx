import { renderHook } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ACTIONS, canRun, runAction, useAction } from './actions';

afterEach(() => {
  document.body.replaceChildren();
});

describe('the action table', () => {
  it('names each action once', () => {
    const ids = ACTIONS.map((action) => action.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('gives no shortcut to two actions of one place', () => {
    const everywhere = new Set(['window', 'no-field']);
    const clashes = ACTIONS.flatMap((one, at) =>
      ACTIONS.slice(at + 1).filter(
        (other) =>
          one.shortcut !== undefined &&
          other.shortcut === one.shortcut &&
          (one.place === other.place || everywhere.has(one.place) || everywhere.has(other.place)),
      ),
    );
    expect(clashes).toEqual([]);
  });

  it('has the shortcuts that were promised', () => {
    const promised = [
      'mod+k',
      'mod+p',
      'mod+enter',
      'mod+f',
      'mod+l',
      'mod+1',
      'mod+9',
      'mod+,',
      '?',
    ];
    const shortcuts = ACTIONS.map((action) => action.shortcut);
    expect(promised.filter((shortcut) => !shortcuts.includes(shortcut))).toEqual([]);
  });
});

describe('useAction', () => {
  it('runs what the component that came last offers', () => {
    const first = vi.fn();
    const second = vi.fn();
    renderHook(() => useAction('call.run', first));
    const { unmount } = renderHook(() => useAction('call.run', second));
    runAction('call.run');
    unmount();
    runAction('call.run');
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
  });

  it('prefers the pane that has focus', () => {
    const pane = document.createElement('div');
    const field = document.createElement('input');
    pane.append(field);
    document.body.append(pane);
    const here = vi.fn();
    const elsewhere = vi.fn();
    renderHook(() => {
      const within = useRef<HTMLElement>(pane);
      useAction('filter.focus', here, { within });
    });
    renderHook(() => useAction('filter.focus', elsewhere));
    field.focus();
    runAction('filter.focus');
    expect([here.mock.calls.length, elsewhere.mock.calls.length]).toEqual([1, 0]);
  });

  it('offers nothing while it is not to, or is gone', () => {
    const run = vi.fn();
    const { rerender, unmount } = renderHook(
      ({ when }) => useAction('list.refresh', run, { when }),
      {
        initialProps: { when: false },
      },
    );
    expect(canRun('list.refresh')).toBe(false);
    rerender({ when: true });
    expect(canRun('list.refresh')).toBe(true);
    unmount();
    expect(runAction('list.refresh')).toBe(false);
  });
});
