import { useState } from 'react';
import type { ConfigAction, Target } from '@/backend/bindings';
import { Checkbox } from '@/components/Checkbox';
import { withMembers } from '@/lib/sets';
import { entirelyVisible } from '@/lib/visible-text';
import { fileOf, fileTitle, useConfiguration } from '@/state/setup/configuration';
import { fileKey } from '../grid/file-rows';
import { canHave, matrixColumns, matrixRows } from '../matrix/matrix-rows';
import { ChangeDialog } from './ChangeDialog';
import styles from './change.module.css';
import { SYNC } from './texts';

/** Writes one definition to the clients that the user chooses, with the difference in each file. */
export function SyncDialog({ from, name }: { from: Target; name: string }) {
  const view = useConfiguration((state) => state.view);
  const columns = matrixColumns(view);
  const row = matrixRows(columns, '').find((known) => known.name === name);
  const places = columns.flatMap((column) => {
    const cell = row?.cells.get(column.client);
    const target: Target | null = cell
      ? { client: column.client, scope: cell.source.scope }
      : column.target;
    const isOther = target !== null && fileKey(target) !== fileKey(from);
    return row && isOther && canHave(row, column) ? [{ target, cell }] : [];
  });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        places.filter(({ cell }) => cell?.differs === true).map(({ target }) => fileKey(target)),
      ),
  );
  /** The name of a client as its column has it; with the file where it has several of its own. */
  const nameOf = (target: Target) => {
    const title = columns.find(({ client }) => client === target.client)?.title ?? target.client;
    return target.client === 'mcp-json' ? SYNC.scopeOf(title, fileTitle(view, target)) : title;
  };
  const to = places.map(({ target }) => target).filter((target) => chosen.has(fileKey(target)));
  const action: ConfigAction | null = to.length > 0 ? { type: 'sync', from, name, to } : null;
  return (
    <ChangeDialog
      title={SYNC.title(name)}
      verb={SYNC.verb}
      action={action}
      placeholder={SYNC.choose}
    >
      <p>{SYNC.from(entirelyVisible(nameOf(from)))}</p>
      {places.length > 1 && (
        <Checkbox
          isSelected={to.length === places.length}
          onChange={(isChosen) =>
            setChosen(new Set(isChosen ? places.map(({ target }) => fileKey(target)) : []))
          }
        >
          {SYNC.all(places.length)}
        </Checkbox>
      )}
      <ul aria-label={SYNC.clients} className={styles.clients}>
        {places.map(({ target, cell }) => (
          <li key={fileKey(target)}>
            <Checkbox
              isSelected={chosen.has(fileKey(target))}
              onChange={(isChosen) => setChosen(withMembers(chosen, [fileKey(target)], isChosen))}
            >
              {entirelyVisible(nameOf(target))}
            </Checkbox>
            <span className="text-small faint">
              {target.client !== 'mcp-json' &&
                `${fileOf(view, target)?.title.toLowerCase() ?? target.scope}, `}
              {!cell ? SYNC.absent : cell.differs ? SYNC.differs : SYNC.same}
            </span>
          </li>
        ))}
      </ul>
    </ChangeDialog>
  );
}
