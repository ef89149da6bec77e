import type { SuiteScenario } from '@/backend/bindings';
import { Glyph } from '@/components/Glyph';
import { Section } from '@/components/Section';
import { visibleLines, visibleText } from '@/lib/visible-text';
import styles from './testing.module.css';
import { SUITE, SUITE_VERDICTS } from './texts';

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
  const { label, glyph, tone } = SUITE_VERDICTS[scenario.verdict];
  const failures = scenario.checks.filter(({ status }) => status === 'FAILURE');
  return (
    <li className={styles.check} data-verdict={scenario.is_scored ? scenario.verdict : 'skipped'}>
      <Glyph glyph={glyph} tone={scenario.is_scored ? tone : 'idle'} />
      <span className={styles.verdict}>{label}</span>
      <span className="grow break-anywhere selectable">
        {visibleText(scenario.name)}
        {!scenario.is_scored && <span className="remark"> {SUITE.notScored}</span>}
        {failures.map(({ id, description, message }) => (
          <span key={`${id} ${message}`} className="block remark">
            {visibleText(id)}: {visibleLines(message ?? description)}
          </span>
        ))}
      </span>
    </li>
  );
}
