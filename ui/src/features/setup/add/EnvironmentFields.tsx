import { Checkbox } from '@/components/Checkbox';
import { entirelyVisible } from '@/lib/visible-text';
import styles from './add.module.css';
import { ENVIRONMENT } from './texts';
import type { AskedVariable } from './use-draft-launches';

interface EnvironmentFieldsProps {
  variables: readonly AskedVariable[];
  /** Those that may be read. */
  allowed: readonly string[];
  onChange: (allowed: string[]) => void;
}

/**
 * The variables of the environment that a server of somebody else's asks for, each with where its
 * value goes. None is read before it is ticked.
 */
export function EnvironmentFields({ variables, allowed, onChange }: EnvironmentFieldsProps) {
  if (variables.length === 0) return null;
  return (
    <fieldset className={styles.inputs}>
      <legend>{ENVIRONMENT.title}</legend>
      <ul className={styles.variables}>
        {variables.map(({ name, sentences }) => (
          <li key={name}>
            <Checkbox
              isSelected={allowed.includes(name)}
              onChange={(isAllowed) =>
                onChange(isAllowed ? [...allowed, name] : allowed.filter((other) => other !== name))
              }
            >
              {entirelyVisible(sentences.join(' '))}
            </Checkbox>
          </li>
        ))}
      </ul>
      <p className={styles.remark}>{ENVIRONMENT.hint}</p>
    </fieldset>
  );
}
