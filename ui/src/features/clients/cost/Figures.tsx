import type { TokenCostView } from '@/backend/bindings';
import { formatCount } from '@/lib/format';
import { tokenText } from '@/state/clients/token-sums';
import styles from '../clients.module.css';
import { COST } from '../texts';
import { shareText } from './cost-rows';

/** The three figures of a list, each with its bytes and its share of the context window. */
export function Figures({ view }: { view: TokenCostView }) {
  const { cost, window: size, precision } = view;
  const { whole, sent, names } = cost.total;
  const isExact = precision === 'exact';
  const lines = [
    { title: COST.whole, cost: whole, share: view.wholePermille },
    { title: COST.sent, cost: sent, share: view.sentPermille },
    { title: COST.names, cost: names, share: view.namesPermille },
  ];
  return (
    <table className={styles.figures} aria-label={COST.figures}>
      <thead>
        <tr>
          <td />
          <th scope="col">{COST.tokens}</th>
          <th scope="col">{COST.ofWindow(size)}</th>
          <th scope="col">{COST.bytes}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ title, cost: { tokens, bytes }, share }) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            <td>{tokenText(tokens, isExact)}</td>
            <td>{shareText(share)}</td>
            <td>{formatCount(bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
