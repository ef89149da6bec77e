import { ACTIONS, type ActionId } from '@/state/actions';

/** A key, where it holds, and what it does. */
export interface KeyRow {
  readonly does: string;
  /** A shortcut such as `mod+k`, or keys as they are to be read. */
  readonly keys: readonly string[];
  readonly where: string;
}

/** Shortcuts that are told in one row with another one. */
const TOLD_WITH_OTHERS: readonly ActionId[] = [
  'palette.jump',
  'pane.previous',
  ...([2, 3, 4, 5, 6, 7, 8, 9] as const).map((number): ActionId => `server.${number}`),
];

/** Keys that hold in one kind of place, and are no action. */
const IN_PLACES: readonly KeyRow[] = [
  { where: 'Lists', keys: ['↑', '↓', 'j', 'k'], does: 'Move' },
  { where: 'Lists', keys: ['enter'], does: 'Open' },
  { where: 'Lists', keys: ['escape'], does: 'Step outward' },
  { where: 'Lists', keys: ['←', '→'], does: 'Collapse or expand a group' },
  { where: 'Filters', keys: ['↓'], does: 'Leave the filter for its rows' },
  { where: 'Filters', keys: ['escape'], does: 'Empty the filter' },
  { where: 'Traffic', keys: ['tab'], does: 'Complete the filter' },
  { where: 'Traffic', keys: ['←', '→'], does: 'Fold or unfold the rows of a call' },
  { where: 'Dialogs', keys: ['mod+enter', 'mod+s'], does: 'Confirm' },
  { where: 'Dialogs', keys: ['escape'], does: 'Close; asks if something was typed' },
  { where: 'Palette', keys: ['>'], does: 'Actions only' },
];

/**
 * The contract of the keyboard: every key, where it holds and what it does. The shortcut sheet is
 * drawn from it, and a browser test presses each.
 */
export const KEYBOARD: readonly KeyRow[] = [
  ...ACTIONS.flatMap(({ id, title, group, shortcut }): KeyRow[] => {
    if (shortcut === undefined || TOLD_WITH_OTHERS.includes(id)) return [];
    if (id === 'palette.open') return [{ where: group, keys: [shortcut, 'mod+p'], does: title }];
    if (id === 'pane.next') {
      return [{ where: group, keys: [shortcut, 'shift+f6'], does: 'Next or previous pane' }];
    }
    if (id === 'server.1') {
      return [{ where: group, keys: ['mod+1…9'], does: 'Go to server 1 to 9' }];
    }
    return [{ where: group, keys: [shortcut], does: title }];
  }),
  ...IN_PLACES,
];
