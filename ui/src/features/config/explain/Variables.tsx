import type { Variable, VariableOrigin } from '@/backend/bindings';
import { Section } from '@/components/Section';
import styles from './explain.module.css';

/** The value of each `${…}`, and its source. */
export function Variables({ variables }: { variables: readonly Variable[] }) {
  return (
    <Section title="Variables">
      <ul className={styles.variables}>
        {variables.map((variable) => (
          <li key={`${variable.field} ${variable.reference}`} className={styles.variable}>
            <code className={styles.reference}>{variable.reference}</code>
            <span className={styles.value}>
              {variable.origin === 'unset' ? (
                <span className={styles.unset}>
                  <span aria-hidden="true">▲ </span>no value
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
  return `${ORIGINS[origin]}${secret ? ', masked' : ''}`;
}

const ORIGINS: Record<VariableOrigin, string> = {
  environment: 'From your environment',
  default: 'From its default',
  client: 'Known to the client',
  input: 'The client asks for it',
  unset: 'Set nowhere',
  not_expanded: 'This client takes it as it stands',
};
