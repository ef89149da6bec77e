import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Client } from '@/backend/bindings';
import { MenuList } from '@/components/Menu';
import { SplitPane } from '@/components/SplitPane';
import { useWidth } from '@/components/use-width';
import { showDialog } from '@/state/dialogs';
import { useConfiguration } from '@/state/setup/configuration';
import { useSetupView } from '@/state/setup/setup-view';
import { ConfigDetail } from './ConfigDetail';
import { ConfigToolbar } from './ConfigToolbar';
import { ConfigGrid, type GridHandle, type GridPlace } from './grid/ConfigGrid';
import {
  columnsOf,
  type FileRow,
  fileKey,
  filterRows,
  rowsOf,
  type Show,
  targetOfKey,
} from './grid/file-rows';
import { BrokenFiles, brokenFilesOf, NoRows, Precedence } from './grid/GridNotes';
import { actionsAt, runKey } from './grid/place-actions';
import { ACTION } from './grid/texts';
import { SETUP } from './texts';

/** The width below which the detail takes the place of the grid, in pixels. */
const ONE_PANE_BELOW = 700;

const PANES = [
  { id: 'servers', min: 320 },
  { id: 'explanation', size: 388, min: 300, keepsPixels: true },
] as const;

const NONE: ReadonlySet<string> = new Set();

/** The servers of a client by its files: which definition counts, why, and how to change it. */
export function ClientFiles({ client }: { client: Client }) {
  const backend = useBackend();
  const view = useConfiguration((state) => state.view);
  const selected = useSetupView((state) => state.selected);
  const select = useSetupView((state) => state.select);
  const [filter, setFilter] = useState('');
  const [show, setShow] = useState<Show>('all');
  const [menu, setMenu] = useState<{ place: GridPlace; at: { current: HTMLElement } } | null>(null);
  /** True if, in one pane, the detail is seen instead of the grid. */
  const [isDetailOpen, setDetailOpen] = useState(false);
  const pane = useRef<HTMLDivElement>(null);
  const grid = useRef<GridHandle>(null);
  const isOnePane = useWidth(pane) < ONE_PANE_BELOW;

  const columns = useMemo(() => columnsOf(view, client), [view, client]);
  const all = useMemo(() => rowsOf(view, client), [view, client]);
  const broken = useMemo(() => brokenFilesOf(view, client), [view, client]);
  const wanted = useDeferredValue(filter);
  const rows = useMemo(() => filterRows(all, wanted, show), [all, wanted, show]);
  // Something is always explained, so that the user sees at once what there is. What was selected
  // stays so: a server that another program moves to another file is in none for a moment.
  const chosen = useMemo(() => {
    if (selected.kind === 'file') return [];
    const found = all.filter((row) => selected.keys.has(row.key));
    return found.length > 0 ? found : rows.slice(0, 1);
  }, [all, rows, selected]);
  const keys = useMemo(() => new Set(chosen.map((row) => row.key)), [chosen]);
  // The grid answers a key at once; what it selects is explained in the time between keys.
  const explained = useDeferredValue(chosen);

  const onSelect = useCallback(
    ({ row, column }: GridPlace, extend: boolean) => {
      if (row) {
        select({ kind: 'servers', keys: new Set([...(extend ? keys : NONE), row.key]) });
      } else if (column) {
        select({ kind: 'file', target: column.target });
      }
    },
    [select, keys],
  );
  const onOpen = (place: GridPlace) => {
    if (isOnePane) setDetailOpen(true);
    else runKey('Enter', actionsAt(view, place, chosen, backend));
  };

  const onBack = useCallback(() => {
    setDetailOpen(false);
    if (useSetupView.getState().selected.kind === 'file') {
      select({ kind: 'servers', keys: NONE });
    }
    requestAnimationFrame(() => grid.current?.focus());
  }, [select]);

  const explanation = <ConfigDetail rows={explained} onBack={isOnePane ? onBack : undefined} />;
  const servers = (
    <div className="stack min-w-0 h-full">
      <ConfigToolbar
        label={SETUP.filter}
        filter={filter}
        onFilter={setFilter}
        kinds={SETUP.kinds}
        show={show}
        onShow={setShow}
        onLeave={() => grid.current?.focus()}
      >
        <span className="nowrap figures text-small faint" role="status">
          {SETUP.count(rows.length, all.length)}
        </span>
      </ConfigToolbar>
      <BrokenFiles files={broken} />
      {rows.length === 0 ? (
        <NoRows
          isFiltered={all.length > 0}
          isBroken={broken.length > 0}
          onClear={() => {
            setFilter('');
            setShow('all');
          }}
        />
      ) : (
        <ConfigGrid
          ref={grid}
          columns={columns}
          rows={rows}
          search={wanted}
          isCollapsed={isOnePane}
          selected={keys}
          selectedFile={selected.kind === 'file' ? fileKey(selected.target) : null}
          onSelect={onSelect}
          onOpen={onOpen}
          onMenu={(place, at) => setMenu({ place, at: { current: at } })}
          onKey={(key, place) => runKey(key, actionsAt(view, place, chosen, backend))}
          onDrop={dropDefinition}
        />
      )}
      <Precedence view={view} client={client} />
      {menu && (
        <MenuList
          label={ACTION.label}
          triggerRef={menu.at}
          groups={actionsAt(view, menu.place, chosen, backend)}
          onClose={() => {
            setMenu(null);
            grid.current?.focus();
          }}
        />
      )}
    </div>
  );

  return (
    <div ref={pane} className="fill min-w-0">
      {isOnePane ? (
        isDetailOpen || selected.kind === 'file' ? (
          explanation
        ) : (
          servers
        )
      ) : (
        <SplitPane name="config" direction="row" panes={PANES}>
          {servers}
          {explanation}
        </SplitPane>
      )}
    </div>
  );
}

/** A definition was dragged: the dialog shows what that does. */
function dropDefinition(row: FileRow, from: string, to: string, isCopy: boolean): void {
  showDialog({
    kind: 'config-transfer',
    mode: isCopy ? 'copy' : 'move',
    from: targetOfKey(from),
    names: [row.name],
    to: targetOfKey(to),
  });
}
