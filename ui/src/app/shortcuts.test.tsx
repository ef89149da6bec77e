import { afterEach, describe, expect, it } from 'vitest';
import { actionOfKey, matchesShortcut } from './shortcuts';

function press(key: string, modifiers: KeyboardEventInit = {}): KeyboardEvent {
  return new KeyboardEvent('keydown', { key, ...modifiers });
}

afterEach(() => {
  document.body.replaceChildren();
});

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
});
