import type { Variable } from '@/backend/bindings';
import { Confirmed } from '@/components/Confirmed';
import { Section } from '@/components/Section';
import styles from './explain.module.css';
import { VARIABLES } from './texts';

/** The value of each `${…}`, and its source. */
export function Variables({ variables }: { variables: readonly Variable[] }) {
  return (
    <Section title={VARIABLES.title}>
      <ul className="plain-list">
        {variables.map((variable) => (
          <li key={`${variable.field} ${variable.reference}`} className={styles.variable}>
            <Confirmed className={styles.reference} text={variable.reference} />
            <span className={styles.value}>
              {variable.origin === 'unset' ? (
                <span className="warn">
                  <span aria-hidden="true">▲ </span>
                  {VARIABLES.noValue}
                </span>
              ) : (
                <Confirmed
                  text={variable.value === '' ? '""' : (variable.value ?? variable.reference)}
                />
              )}
            </span>
            <span className={styles.remark}>
              {originText(variable)} · in <Confirmed text={variable.field} />
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
