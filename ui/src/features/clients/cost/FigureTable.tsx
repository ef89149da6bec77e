import type { ReactNode } from 'react';
import type { TokenTableView } from '@/backend/bindings';
import { formatCount } from '@/lib/format';
import { tokenText } from '@/state/clients/token-sums';
import styles from '../clients.module.css';
import { COST } from '../texts';
import { shareText } from './cost-rows';

interface FigureTableProps {
  label: string;
  view: TokenTableView;
  /** The name of the last figure. */
  last: string;
  rows: readonly {
    key: string;
    title: ReactNode;
    tokens: number;
    permille: number;
    last: number;
  }[];
  /** Takes the whole width. */
  fills?: boolean;
}

/** Sums of tokens, each with its share of the context window. */
export function FigureTable({ label, view, last, rows, fills }: FigureTableProps) {
  return (
    <table className={styles.figures} data-fills={fills || undefined} aria-label={label}>
      <thead>
        <tr>
          <td />
          <th scope="col">{COST.tokens}</th>
          <th scope="col">{COST.ofWindow(view.window)}</th>
          <th scope="col">{last}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{row.title}</th>
            <td>{tokenText(row.tokens, view.precision === 'exact')}</td>
            <td>{shareText(row.permille)}</td>
            <td>{formatCount(row.last)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The three figures of a list, each with its bytes and its share of the context window. */
export function Figures({ view }: { view: TokenTableView }) {
  const { whole, sent, names } = view.total;
  const lines = [
    [COST.whole, whole, view.wholePermille],
    [COST.sent, sent, view.sentPermille],
    [COST.names, names, view.namesPermille],
  ] as const;
  return (
    <FigureTable
      label={COST.figures}
      view={view}
      last={COST.bytes}
      rows={lines.map(([title, { tokens, bytes }, permille]) => ({
        key: title,
        title,
        tokens,
        permille,
        last: bytes,
      }))}
    />
  );
}
