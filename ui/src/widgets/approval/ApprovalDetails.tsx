import type { TrustView } from '@/backend/bindings';
import { Facts } from '@/components/Section';
import styles from './approval.module.css';
import { DETAILS } from './texts';

/**
 * The effects of connecting to a project's server: in sentences, member by member, and as the entry
 * stands in the file. The backend makes them from the value that starts.
 */
export function ApprovalDetails({ trust }: { trust: TrustView }) {
  return (
    <>
      <ul className={styles.consequences}>
        {trust.consequences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Facts
        facts={[
          ...trust.rows.map(
            ({ label, values }) => [label, <Values key={label} of={values} />] as const,
          ),
          [
            DETAILS.definedIn,
            <code key="path">
              {trust.path}:{trust.line}
            </code>,
          ] as const,
        ]}
      />
      <details className={styles.raw}>
        <summary>{DETAILS.entry}</summary>
        <pre className={styles.text}>{trust.text}</pre>
      </details>
    </>
  );
}

function Values({ of: values }: { of: readonly string[] }) {
  if (values.length === 1) return <code className={styles.full}>{values[0]}</code>;
  return (
    <ol className={styles.named}>
      {numbered(values).map(([key, value]) => (
        <li key={key}>
          <code className={styles.full}>{value}</code>
        </li>
      ))}
    </ol>
  );
}

/** The values with keys: the same text may stand in a list twice. */
function numbered(values: readonly string[]): [string, string][] {
  return values.map((value, index) => [`${index} ${value}`, value]);
}
