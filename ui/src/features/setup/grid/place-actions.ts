import type { Backend } from '@/backend/backend';
import type { ChosenServer, ConfigurationView, Target } from '@/backend/bindings';
import type { MenuEntry } from '@/components/Menu';
import { showDialog, useDialogs } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { clientOf, fileOf } from '@/state/setup/configuration';
import { editConfig } from '@/state/setup/setup-view';
import type { GridPlace } from './ConfigGrid';
import type { FileColumn, FileRow } from './file-rows';
import { ACTION } from './texts';

/** An action on the selection. The menu, the keys and the buttons are made of these. */
interface PlaceAction extends MenuEntry {
  /** The key of the grid that does it, as `KeyboardEvent.key` has it. */
  key?: string | undefined;
}

/** Groups of actions, with a line between them in a menu. */
export type PlaceActions = readonly (readonly PlaceAction[])[];

const KEYS = {
  edit: 'Enter',
  text: 't',
  openText: 'Enter',
  move: 'm',
  copy: 'c',
  rename: 'F2',
  enable: 'd',
  disable: 'd',
  export: 'x',
  addHere: 'a',
  reveal: undefined,
  remove: 'Delete',
} as const;

function actionOf(id: keyof typeof KEYS, run: () => void, isDisabled = false): PlaceAction {
  const key = KEYS[id];
  const isDangerous = id === 'remove';
  return { id, title: ACTION[id], key, keys: key && keyText(key), isDisabled, isDangerous, run };
}

/** Returns the actions at a place of the grid, while `chosen` is selected. */
export function actionsAt(
  view: ConfigurationView,
  place: GridPlace,
  chosen: readonly FileRow[],
  backend: Backend,
): PlaceActions {
  const { row, column } = place;
  if (!row) return column ? fileActions(column, backend) : [];
  if (chosen.length > 1 && chosen.includes(row)) return severalActions(view, chosen, column);
  const cell = column && row.cells.get(column.key);
  if (column && !cell) return emptyActions(row, column);
  return serverActions(
    view,
    row,
    { client: row.client, scope: cell?.source.scope ?? row.source.scope },
    backend,
  );
}

/** Returns the actions on one definition of a server. */
export function serverActions(
  view: ConfigurationView,
  row: FileRow,
  target: Target,
  backend: Backend,
): PlaceActions {
  const { name } = row;
  const { show } = useDialogs.getState();
  const { isFixed, move, copy, enable, disable, remove } = changesOf(view, target, [name]);
  const cell = row.source.cells.find(({ scope }) => scope === target.scope);
  const place = { line: cell?.line ?? 1, column: cell?.column ?? 1 };
  const edit = actionOf('edit', () => editConfig({ target, name, place: null }));
  return [
    [
      isFixed ? { ...edit, title: ACTION.view } : edit,
      actionOf('text', () => editConfig({ target, name: null, place })),
    ],
    [
      move,
      copy,
      actionOf('rename', () => show({ kind: 'config-rename', target, name }), isFixed),
      cell?.state.type === 'disabled' ? { ...enable, isDisabled: isFixed } : disable,
    ],
    [exportOf([{ target, name }]), reveal(fileOf(view, target)?.path ?? '', backend)],
    [remove],
  ];
}

/** Returns the changes of servers that stand in one file. Without one, few things can be done. */
function changesOf(view: ConfigurationView, target: Target | null, names: string[]) {
  const { show } = useDialogs.getState();
  const isFixed = target === null || fileOf(view, target)?.writable !== true;
  const canDisable = target !== null && clientOf(view, target.client)?.expresses.disabled === true;
  const transfer = (mode: 'move' | 'copy', isDisabled: boolean) => {
    const run = () =>
      target && show({ kind: 'config-transfer', mode, from: target, names, to: null });
    return actionOf(mode, run, isDisabled);
  };
  const review = (type: 'remove' | 'disable' | 'enable', isDisabled: boolean) => {
    const run = () => target && show({ kind: 'config-change', action: { type, target, names } });
    return actionOf(type, run, isDisabled);
  };
  return {
    isFixed,
    move: transfer('move', isFixed),
    copy: transfer('copy', target === null),
    enable: review('enable', isFixed || !canDisable),
    disable: review('disable', isFixed || !canDisable),
    remove: review('remove', isFixed),
  };
}

function exportOf(items: ChosenServer[]): PlaceAction {
  return actionOf('export', () => showDialog({ kind: 'config-export', items }));
}

function reveal(path: string, backend: Backend, isDisabled = false): PlaceAction {
  return actionOf('reveal', () => void backend.revealPath(path).catch(showError), isDisabled);
}

/** Returns the actions where a server is not defined: put it there. */
function emptyActions(row: FileRow, { target, file }: FileColumn): PlaceActions {
  const from = { client: row.client, scope: row.source.scope };
  const transfer = (mode: 'move' | 'copy', title: string): PlaceAction => {
    const { show } = useDialogs.getState();
    const run = () => show({ kind: 'config-transfer', mode, from, names: [row.name], to: target });
    return { ...actionOf(mode, run, !file.writable), title };
  };
  return [
    [transfer('copy', ACTION.copyHere(row.name)), transfer('move', ACTION.moveHere(row.name))],
    [addHere(target, file.writable)],
  ];
}

function addHere(target: Target, isWritable: boolean): PlaceAction {
  const run = () => showDialog({ kind: 'add-server', target });
  return actionOf('addHere', run, !isWritable);
}

function fileActions({ target, file }: FileColumn, backend: Backend): PlaceActions {
  return [
    [
      actionOf('openText', () => editConfig({ target, name: null, place: null })),
      addHere(target, file.writable),
    ],
    [reveal(file.path, backend, file.state === 'missing')],
  ];
}

/** Returns the actions on several servers at once: those that stand in one file. */
export function severalActions(
  view: ConfigurationView,
  rows: readonly FileRow[],
  column: FileColumn | null,
): PlaceActions {
  const from = commonTarget(rows, column);
  const names = rows.map(({ name }) => name);
  const { move, copy, disable, enable, remove } = changesOf(view, from, names);
  const items = rows.map(({ client, name, source }) => ({
    target: { client, scope: source.scope },
    name,
  }));
  return [
    [move, copy, disable, { ...enable, key: undefined, keys: undefined }],
    [exportOf(items)],
    [remove],
  ];
}

/** The one file in which all of them stand, if there is one: the column's, else the winners'. */
export function commonTarget(rows: readonly FileRow[], column: FileColumn | null): Target | null {
  if (column && rows.every((row) => row.cells.has(column.key))) return column.target;
  const [first] = rows;
  const isCommon = rows.every(
    (row) => row.client === first?.client && row.source.scope === first.source.scope,
  );
  return first && isCommon ? { client: first.client, scope: first.source.scope } : null;
}

/** Does what a key stands for, if it stands for something that can be done. */
export function runKey(key: string, actions: PlaceActions): boolean {
  const action = actions
    .flat()
    .find((candidate) => candidate.key === key || (key === 'e' && candidate.id === 'edit'));
  if (!action || action.isDisabled) return false;
  action.run();
  return true;
}

/** A key as a menu shows it. */
function keyText(key: string): string {
  return key.length === 1 ? key.toUpperCase() : key === 'Delete' ? 'Del' : key;
}
