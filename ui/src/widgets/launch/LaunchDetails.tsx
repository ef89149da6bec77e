import type { ReactNode } from 'react';
import type { LaunchView } from '@/backend/bindings';
import { Confirmed } from '@/components/Confirmed';
import { Facts } from '@/components/Section';
import { entirelyVisible } from '@/lib/visible-text';
import styles from './launch.module.css';

interface LaunchDetailsProps {
  launch: Pick<LaunchView, 'consequences' | 'rows'>;
  /** Facts that stand below those of the launch. */
  facts?: readonly (readonly [name: string, value: ReactNode])[];
}

/**
 * Shows the effects of connecting to a server, in sentences and member by member: all that will run
 * or be sent. Every confirmation of a server shows it. The backend makes it from the value that starts.
 */
export function LaunchDetails({ launch, facts = [] }: LaunchDetailsProps) {
  return (
    <>
      <ul className={styles.consequences}>
        {launch.consequences.map((sentence) => (
          <li key={sentence}>{entirelyVisible(sentence)}</li>
        ))}
      </ul>
      <Facts
        facts={[
          ...launch.rows.map(
            ({ label, values }) => [label, <Values key={label} of={values} />] as const,
          ),
          ...facts,
        ]}
      />
    </>
  );
}

function Values({ of: values }: { of: readonly string[] }) {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return <Confirmed text={only} />;
  return (
    <ol className="plain-list">
      {numbered(values).map(([key, value]) => (
        <li key={key}>
          <Confirmed text={value} />
        </li>
      ))}
    </ol>
  );
}

/** The values with keys: the same text may stand in a list twice. */
function numbered(values: readonly string[]): [string, string][] {
  return values.map((value, index) => [`${index} ${value}`, value]);
}
