import { afterEach, describe, expect, it } from 'vitest';
import { ACTIONS, KEY_PLACES, type KeyPlace } from '@/state/actions';
import { useNavigation } from '@/state/navigation';
import { showNote, useNotices } from '@/state/notices';
import { actionOfKey, matchesShortcut } from './shortcuts';

function press(key: string, modifiers: KeyboardEventInit = {}): KeyboardEvent {
  return new KeyboardEvent('keydown', { key, ...modifiers });
}

const initial = useNavigation.getState();

afterEach(() => {
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
      main: ['main', 'field'],
      question: ['question'],
      config: [],
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

  it('take files back in Config alone, and leave what is typed to its field', () => {
    const parts = drawWindow();
    const undoes = () =>
      Object.entries(parts)
        .filter(([, part]) => actionAt(part, 'mod+z') === 'config.undo')
        .map(([part]) => part);
    useNavigation.setState({ place: 'server', server: 'demo', tabs: { demo: 'config' } });
    expect(undoes()).toEqual(['sidebar', 'main', 'question']);
    useNavigation.setState({ place: 'config' });
    expect(undoes()).toEqual(['sidebar', 'main', 'question']);
    useNavigation.setState({ place: 'requests' });
    expect(undoes()).toEqual([]);
    // While its note is shown, the key does what the note offers.
    showNote('Removed files', { label: 'Undo', run: () => {}, id: 'config.undo' });
    expect(undoes()).toEqual(['sidebar', 'main', 'question', 'traffic']);
    expect(actionAt(parts.main, 'mod+shift+z')).toBeUndefined();
    showNote('Something else');
    expect(undoes()).toEqual([]);
  });

  it('continue a sign-in where it is looked at', () => {
    const parts = drawWindow();
    useNavigation.setState({ place: 'server', server: 'demo', tabs: { demo: 'auth' } });
    expect(actionAt(parts.main, 'f10')).toBe('auth.continue');
    expect(actionAt(document.body, 'f8')).toBe('auth.run');
    expect(actionAt(parts.traffic, 'f10')).toBeUndefined();
    expect(actionAt(parts.sidebar, 'f8')).toBeUndefined();
  });
});
