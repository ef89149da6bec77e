import type { Backend } from '@/backend/backend';
import type { ConfigurationView, Target } from '@/backend/bindings';
import { useDialogs } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { clientOf, fileOf } from '@/state/setup/configuration';
import { editConfig } from '@/state/setup/setup-view';
import type { GridPlace } from './ConfigGrid';
import type { FileColumn, FileRow } from './file-rows';
import { ACTION } from './texts';

/** An action on the selection. The menu, the keys and the buttons are made of these. */
interface PlaceAction {
  id: string;
  title: string;
  /** The key of the grid that does it, as `KeyboardEvent.key` has it. */
  key?: string;
  isDisabled?: boolean;
  isDangerous?: boolean;
  run: () => void;
}

/** Groups of actions, with a line between them in a menu. */
export type PlaceActions = readonly (readonly PlaceAction[])[];

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
  const show = useDialogs.getState().show;
  const file = fileOf(view, target);
  const isFixed = file?.writable !== true;
  const cell = row.source.cells.find(({ scope }) => scope === target.scope);
  const canDisable = clientOf(view, target.client)?.expresses.disabled === true;
  const isDisabled = cell?.state.type === 'disabled';
  const { transfer, review } = changesOf(target, [name]);
  return [
    [
      {
        id: 'edit',
        title: isFixed ? ACTION.view : ACTION.edit,
        key: 'Enter',
        run: () => editConfig({ target, name, place: null }),
      },
      {
        id: 'text',
        title: ACTION.text,
        key: 't',
        run: () =>
          editConfig({
            target,
            name: null,
            place: { line: cell?.line ?? 1, column: cell?.column ?? 1 },
          }),
      },
    ],
    [
      {
        id: 'move',
        title: ACTION.move,
        key: 'm',
        isDisabled: isFixed,
        run: () => transfer('move'),
      },
      {
        id: 'copy',
        title: ACTION.copy,
        key: 'c',
        run: () => transfer('copy'),
      },
      {
        id: 'rename',
        title: ACTION.rename,
        key: 'F2',
        isDisabled: isFixed,
        run: () => show({ kind: 'config-rename', target, name }),
      },
      isDisabled
        ? {
            id: 'enable',
            title: ACTION.enable,
            key: 'd',
            isDisabled: isFixed,
            run: () => review('enable'),
          }
        : {
            id: 'disable',
            title: ACTION.disable,
            key: 'd',
            isDisabled: isFixed || !canDisable,
            run: () => review('disable'),
          },
    ],
    [
      {
        id: 'export',
        title: ACTION.export,
        key: 'x',
        run: () => show({ kind: 'config-export', items: [{ target, name }] }),
      },
      {
        id: 'reveal',
        title: ACTION.reveal,
        run: () => void backend.revealPath(file?.path ?? '').catch(showError),
      },
    ],
    [removal(isFixed, review)],
  ];
}

type Change = 'remove' | 'disable' | 'enable';

/** Opens the dialogs that change servers of one file; nothing without one. */
function changesOf(target: Target | null, names: string[]) {
  const { show } = useDialogs.getState();
  return {
    transfer(mode: 'move' | 'copy') {
      if (target) show({ kind: 'config-transfer', mode, from: target, names, to: null });
    },
    review(kind: Change) {
      if (target) show({ kind: 'config-change', action: { type: kind, target, names } });
    },
  };
}

function removal(isFixed: boolean, review: (change: Change) => void): PlaceAction {
  return {
    id: 'remove',
    title: ACTION.remove,
    key: 'Delete',
    isDangerous: true,
    isDisabled: isFixed,
    run: () => review('remove'),
  };
}

/** Returns the actions where a server is not defined: put it there. */
function emptyActions(row: FileRow, { target, file }: FileColumn): PlaceActions {
  const show = useDialogs.getState().show;
  const from = { client: row.client, scope: row.source.scope };
  const transfer = (mode: 'move' | 'copy') =>
    show({ kind: 'config-transfer', mode, from, names: [row.name], to: target });
  return [
    [
      {
        id: 'copy',
        title: ACTION.copyHere(row.name),
        key: 'c',
        isDisabled: !file.writable,
        run: () => transfer('copy'),
      },
      {
        id: 'move',
        title: ACTION.moveHere(row.name),
        key: 'm',
        isDisabled: !file.writable,
        run: () => transfer('move'),
      },
    ],
    [addHere(target, file.writable)],
  ];
}

function addHere(target: Target, isWritable: boolean): PlaceAction {
  return {
    id: 'add',
    title: ACTION.addHere,
    key: 'a',
    isDisabled: !isWritable,
    run: () => useDialogs.getState().show({ kind: 'add-server', target }),
  };
}

/** Returns the actions on a file. */
function fileActions({ target, file }: FileColumn, backend: Backend): PlaceActions {
  return [
    [
      {
        id: 'text',
        title: ACTION.openText,
        key: 'Enter',
        run: () => editConfig({ target, name: null, place: null }),
      },
      addHere(target, file.writable),
    ],
    [
      {
        id: 'reveal',
        title: ACTION.reveal,
        isDisabled: file.state === 'missing',
        run: () => void backend.revealPath(file.path).catch(showError),
      },
    ],
  ];
}

/** Returns the actions on several servers at once: those that stand in one file. */
export function severalActions(
  view: ConfigurationView,
  rows: readonly FileRow[],
  column: FileColumn | null,
): PlaceActions {
  const show = useDialogs.getState().show;
  const from = commonTarget(rows, column);
  const file = from && fileOf(view, from);
  const isFixed = file?.writable !== true;
  const canDisable = from !== null && clientOf(view, from.client)?.expresses.disabled === true;
  const { transfer, review } = changesOf(
    from,
    rows.map(({ name }) => name),
  );
  return [
    [
      {
        id: 'move',
        title: ACTION.move,
        key: 'm',
        isDisabled: isFixed,
        run: () => transfer('move'),
      },
      { id: 'copy', title: ACTION.copy, key: 'c', isDisabled: !from, run: () => transfer('copy') },
      {
        id: 'disable',
        title: ACTION.disable,
        key: 'd',
        isDisabled: isFixed || !canDisable,
        run: () => review('disable'),
      },
      {
        id: 'enable',
        title: ACTION.enable,
        isDisabled: isFixed || !canDisable,
        run: () => review('enable'),
      },
    ],
    [
      {
        id: 'export',
        title: ACTION.export,
        key: 'x',
        run: () =>
          show({
            kind: 'config-export',
            items: rows.map(({ client, name, source }) => ({
              target: { client, scope: source.scope },
              name,
            })),
          }),
      },
    ],
    [removal(isFixed, review)],
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
export function keyText(key: string): string {
  return key.length === 1 ? key.toUpperCase() : key === 'Delete' ? 'Del' : key;
}
