import type { Variable } from '@/backend/bindings';
import { Section } from '@/components/Section';
import styles from './explain.module.css';
import { VARIABLES } from './texts';

/** The value of each `${…}`, and its source. */
export function Variables({ variables }: { variables: readonly Variable[] }) {
  return (
    <Section title={VARIABLES.title}>
      <ul className={styles.variables}>
        {variables.map((variable) => (
          <li key={`${variable.field} ${variable.reference}`} className={styles.variable}>
            <code className={styles.reference}>{variable.reference}</code>
            <span className={styles.value}>
              {variable.origin === 'unset' ? (
                <span className={styles.unset}>
                  <span aria-hidden="true">▲ </span>
                  {VARIABLES.noValue}
                </span>
              ) : (
                <code>{variable.value === '' ? '""' : (variable.value ?? variable.reference)}</code>
              )}
            </span>
            <span className={styles.remark}>
              {originText(variable)} · in <code>{variable.field}</code>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Names the source of a value. */
function originText({ origin, secret }: Variable): string {
  return `${VARIABLES.origins[origin]}${secret ? VARIABLES.masked : ''}`;
}
