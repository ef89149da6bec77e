import { visibleText } from '@/lib/visible-text';
import styles from './pairs.module.css';

interface PairsProps {
  label: string;
  pairs: readonly (readonly [string, string])[];
  /** Shows the label above them. */
  isTitled?: boolean;
}

/** Names and values as they came from the wire: headers, parameters. */
export function Pairs({ label, pairs, isTitled = false }: PairsProps) {
  return (
    <div className="stack gap-2">
      {isTitled && <h4 className="text-small medium remark">{label}</h4>}
      <table className={styles.pairs} aria-label={label}>
        <tbody>
          {pairs.map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a name may come several times
            <tr key={`${index} ${name}`}>
              <th scope="row">{visibleText(name)}</th>
              <td>{visibleText(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
