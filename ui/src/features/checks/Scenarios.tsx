import type { SuiteScenario } from '@/backend/bindings';
import { Section } from '@/components/Section';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { FindingRow } from '@/widgets/findings/FindingRow';
import styles from './testing.module.css';
import { SUITE } from './texts';

/** The scenarios of the official suite, each with the suite's own verdict and reasons. */
export function Scenarios({ scenarios }: { scenarios: readonly SuiteScenario[] }) {
  const revisions = [...new Set(scenarios.map(({ revision }) => revision))];
  return (
    <Section title={SUITE.title}>
      {revisions.map((revision) => (
        <ScenarioList
          key={revision}
          revision={revision}
          scenarios={scenarios.filter((scenario) => scenario.revision === revision)}
        />
      ))}
    </Section>
  );
}

interface ScenarioListProps {
  revision: string;
  scenarios: readonly SuiteScenario[];
}

function ScenarioList({ revision, scenarios }: ScenarioListProps) {
  return (
    <>
      <h3 className={styles.era}>{revision}</h3>
      <ul className="plain-list m-0" aria-label={`${SUITE.title} ${revision}`}>
        {scenarios.map((scenario) => (
          <Scenario key={scenario.name} scenario={scenario} />
        ))}
      </ul>
    </>
  );
}

function Scenario({ scenario }: { scenario: SuiteScenario }) {
  const failures = scenario.checks.filter(({ verdict }) => verdict === 'failed');
  return (
    <FindingRow verdict={scenario.verdict} counts={scenario.isScored}>
      {visibleText(scenario.name)}
      {!scenario.isScored && <span className="remark"> {SUITE.notScored}</span>}
      {failures.map(({ rule, title, message }) => (
        <span key={`${rule} ${message}`} className="block remark">
          {visibleText(rule)}: {visibleLines(message ?? title)}
        </span>
      ))}
    </FindingRow>
  );
}
