import { Fragment } from 'react';
import { Button } from '@/components/Button';
import { shortcutText } from '@/components/Kbd';
import { entirelyVisible, visibleText } from '@/lib/visible-text';
import { tokenText } from '@/state/clients/token-sums';
import { showDialog } from '@/state/dialogs';
import { editConfig, showInSetup } from '@/state/setup/setup-view';
import { cellNote, placeOf } from './cell-notes';
import { type Difference, isLackOnly, useDifferences } from './differences';
import styles from './matrix.module.css';
import type { MatrixCell, MatrixColumn, MatrixRow } from './matrix-rows';
import { DETAIL } from './texts';
import { type ClientTokens, useRowServer } from './use-tokens';

interface MatrixDetailProps {
  row: MatrixRow;
  columns: readonly MatrixColumn[];
  /** The client that the keyboard is at, if it is at one. */
  column: MatrixColumn | undefined;
  tokens: ReadonlyMap<MatrixColumn['client'], ClientTokens>;
}

/** A client that has the server. */
interface Place {
  column: MatrixColumn;
  cell: MatrixCell;
}

/** One server: where each client takes it from, and what its definitions differ in. */
export function MatrixDetail({ row, columns, column, tokens }: MatrixDetailProps) {
  const differences = useDifferences(row);
  const places = columns.flatMap((known): Place[] => {
    const cell = row.cells.get(known.client);
    return cell ? [{ column: known, cell }] : [];
  });
  const usual = places.find(({ column: { client } }) => client === row.from.client);
  const differing = places.filter(({ cell }) => cell.differs);
  const others = differing.filter(({ column: { client } }) => !isLackOnly(differences.get(client)));
  const titles = places.map(({ column: { title } }) => title);
  return (
    <section className={styles.detail} aria-label={DETAIL.label(visibleText(row.name))}>
      <div className="stack gap-4 min-w-0">
        <h2>
          <bdi>{entirelyVisible(row.name)}</bdi>:{' '}
          {usual && others.length > 0
            ? DETAIL.differ([usual, ...others].map((place) => place.column.title))
            : titles.length > 1
              ? DETAIL.same(titles)
              : DETAIL.only(titles[0] ?? '')}
        </h2>
        {usual &&
          differing.map((other) => (
            <Comparison
              key={other.column.client}
              row={row}
              usual={usual}
              other={other}
              differences={differences.get(other.column.client)}
            />
          ))}
        <ul className={styles.places} aria-label={DETAIL.where}>
          {places.map((place) => (
            <PlaceLine
              key={place.column.client}
              row={row}
              place={place}
              differences={differences.get(place.column.client)}
            />
          ))}
        </ul>
      </div>
      <div className="stack gap-4 min-w-0">
        <h2>{DETAIL.switches}</h2>
        <p className="remark">{DETAIL.explain(shortcutText('mod+z'))}</p>
        <Saving row={row} column={column} tokens={tokens} />
      </div>
    </section>
  );
}

interface ComparisonProps {
  row: MatrixRow;
  usual: Place;
  other: Place;
  differences: readonly Difference[] | undefined;
}

/** The fields that two clients say differently, and the buttons that end that. */
function Comparison({ row, usual, other, differences }: ComparisonProps) {
  const [one, two] = [usual.column.title, other.column.title];
  const counted = differences?.filter(({ lackedBy }) => lackedBy === null);
  const lacked = differences?.filter(({ lackedBy }) => lackedBy !== null) ?? [];
  const use = (from: Place, to: Place) =>
    showDialog({
      kind: 'config-change',
      action: { type: 'sync', from: targetOf(from), name: row.name, to: [targetOf(to)] },
    });
  const lack = [usual, other].map((place) => (
    <Lack key={place.column.client} place={place} differences={lacked} />
  ));
  // Nothing is to be done about what a client has no field for.
  if (isLackOnly(differences)) return lack;
  // The definition that says more comes first: the other one would take it away.
  const isOtherFuller =
    lacked.length > 0 && lacked.every(({ lackedBy }) => lackedBy === usual.column.client);
  const ways = [
    [usual, other],
    [other, usual],
  ] as const;
  return (
    <>
      {differences?.length === 0 ? (
        <p className="remark">{DETAIL.masked}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable.
        <section className="code-block mono" aria-label={DETAIL.difference(one, two)} tabIndex={0}>
          {counted?.flatMap(({ field, usual: before, value: after }) => [
            before !== null && (
              <div key={`- ${field}`} className="bad">
                − {entirelyVisible(field)} {entirelyVisible(JSON.stringify(before))}
              </div>
            ),
            after !== null && (
              <div key={`+ ${field}`} className="ok">
                + {entirelyVisible(field)} {entirelyVisible(JSON.stringify(after))}
              </div>
            ),
          ])}
        </section>
      )}
      <div className="row wrap gap-4">
        {(isOtherFuller ? ways.toReversed() : ways).map(([from, to], index) => (
          <Button
            key={from.column.client}
            variant={index === 0 ? 'primary' : 'plain'}
            isDisabled={!isWritable(to)}
            onPress={() => use(from, to)}
          >
            {DETAIL.use(from.column.title, to.column.title)}
          </Button>
        ))}
      </div>
      {lack}
    </>
  );
}

/** The fields that a client has no place for; nothing without any. */
function Lack({ place, differences }: { place: Place; differences: readonly Difference[] }) {
  const { client, title } = place.column;
  const fields = differences.filter(({ lackedBy }) => lackedBy === client);
  if (fields.length === 0) return null;
  return (
    <p className="remark">
      {DETAIL.lacks(title)}{' '}
      {fields.map(({ field }, index) => (
        <Fragment key={field}>
          {index > 0 && ', '}
          <code>{entirelyVisible(field)}</code>
        </Fragment>
      ))}
      .
    </p>
  );
}

interface PlaceLineProps {
  row: MatrixRow;
  place: Place;
  differences: readonly Difference[] | undefined;
}

/** The place that one client takes the server from: the way to the entry, and to the reasons. */
function PlaceLine({ row, place, differences }: PlaceLineProps) {
  const { column, cell } = place;
  const { short, tone } = cellNote(row, column, differences);
  return (
    <li>
      <span className="truncate">{column.title}</span>
      <Button
        variant="quiet"
        className="mono"
        onPress={() => editConfig({ target: targetOf(place), name: row.name, place: null })}
      >
        {placeOf(column, cell.source.scope, cell.source.cells)}
      </Button>
      <Button variant="quiet" onPress={() => showInSetup(column.client, row.name)}>
        {DETAIL.why(column.title)}
      </Button>
      {short && <span className={tone}>{short}</span>}
    </li>
  );
}

interface SavingProps {
  row: MatrixRow;
  column: MatrixColumn | undefined;
  tokens: ReadonlyMap<MatrixColumn['client'], ClientTokens>;
}

/** The tokens that the client at the keyboard saves without the server. */
function Saving({ row, column, tokens }: SavingProps) {
  const server = useRowServer(row);
  const counted = column && tokens.get(column.client);
  const saved = server && counted?.byServer.get(server.id);
  if (!column || !counted || saved === undefined) return null;
  return (
    <p className="remark">
      {DETAIL.saves[0]}
      <b>{visibleText(row.name)}</b>
      {DETAIL.saves[1]}
      {DETAIL.savesTokens(column.title, tokenText(saved, false), tokenText(counted.total, false))}
    </p>
  );
}

function targetOf({ column, cell }: Place) {
  return { client: column.client, scope: cell.source.scope };
}

function isWritable({ column, cell }: Place): boolean {
  return column.view.files.some(({ scope, writable }) => scope === cell.source.scope && writable);
}
