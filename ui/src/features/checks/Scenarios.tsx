import type { Finding, SuiteScenario } from '@/backend/bindings';
import { Section } from '@/components/Section';
import { FindingList } from '@/widgets/findings/FindingList';
import styles from './checks.module.css';
import { SUITE } from './texts';

/** The scenarios of the official suite, each with the suite's own verdict and reasons. */
export function Scenarios({ scenarios }: { scenarios: readonly SuiteScenario[] }) {
  const revisions = [...new Set(scenarios.map(({ revision }) => revision))];
  return (
    <Section title={SUITE.title}>
      {revisions.map((revision) => (
        <div key={revision}>
          <h3 className={styles.era}>{revision}</h3>
          <FindingList
            label={`${SUITE.title} ${revision}`}
            findings={scenarios.filter((one) => one.revision === revision).map(findingOf)}
          />
        </div>
      ))}
    </Section>
  );
}

/** Returns the outcome of a scenario as a finding. One that is not scored cannot fail. */
function findingOf({ name, isScored, verdict, checks }: SuiteScenario): Finding<null> {
  const failures = checks.filter((check) => check.verdict === 'failed');
  const nothing = { subject: null, clause: null, exchanges: [], evidence: [], duration: null };
  return {
    rule: name,
    title: isScored ? name : `${name} (${SUITE.notScored})`,
    verdict: isScored || verdict !== 'failed' ? verdict : 'note',
    message:
      failures.map(({ rule, title, message }) => `${rule}: ${message ?? title}`).join('\n') || null,
    ...nothing,
  };
}
