import { useId } from 'react';
import { useBackend } from '@/backend/backend';
import type { FrontmatterField, ServerView, SkillReport, SkillView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Glyph } from '@/components/Glyph';
import { Section } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import { TableHead } from '@/components/TableHead';
import { formatSize } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { useSkills } from '@/state/calls/skills';
import { showError } from '@/state/notices';
import { useAttempt } from '@/state/servers/attempt';
import { FindingList } from '@/widgets/findings/FindingList';
import { JsonView } from '@/widgets/json-view/JsonView';
import { useAnswer } from '@/widgets/use-answer';
import { Files } from './Files';
import styles from './skills.module.css';
import { SKILL, verification } from './texts';

/** One skill: its entry, and how its files stand the comparison with it. */
export function SkillDetail({ server, uri }: { server: ServerView; uri: string }) {
  const backend = useBackend();
  const key = `skill ${useId()}`;
  const { value: skill, problem } = useAnswer(
    () => backend.getSkill(server.id, key, uri),
    [backend, server.id, uri, key],
  );
  if (problem !== null) return <EmptyState title={visibleText(problem)} />;
  return skill && <Detail server={server} skill={skill} requestKey={key} />;
}

interface DetailProps {
  server: ServerView;
  skill: SkillView;
  /** Name of its requests. */
  requestKey: string;
}

function Detail({ server, skill, requestKey }: DetailProps) {
  const backend = useBackend();
  // Kept from skill to skill, and when the panes are made anew.
  const part = useSkills((state) => state.parts[server.id] ?? 'summary');
  const showPart = useSkills((state) => state.showPart);
  const report = useSkills((state) => state.reports[server.id]?.[skill.uri]);
  const setReport = useSkills((state) => state.setReport);
  const { isBusy, problem, attempt } = useAttempt();
  const verify = () =>
    attempt(async () => {
      setReport(server.id, await backend.verifySkill(server.id, requestKey, skill.uri));
    });
  const stop = () => void backend.cancelCall(server.id, requestKey).catch(showError);
  const segments = [
    { value: 'summary', label: SKILL.summary },
    { value: 'files', label: SKILL.files(report?.files.length ?? skill.files.length) },
    { value: 'frontmatter', label: SKILL.frontmatter },
  ] as const;
  return (
    <div className="pane">
      <header className={styles.head}>
        <h2 className={styles.title}>{visibleText(skill.name) || visibleText(skill.uri)}</h2>
        <p className="break-anywhere selectable code remark">{visibleText(skill.uri)}</p>
        <p className={styles.about} dir="auto">
          {visibleLines(skill.description)}
        </p>
        <div className={styles.actions}>
          {isBusy ? (
            <Button onPress={stop}>{SKILL.stop}</Button>
          ) : (
            <Button variant="primary" onPress={() => void verify()}>
              {SKILL.verify}
            </Button>
          )}
          <Verdict report={report} isBusy={isBusy} problem={problem} />
        </div>
      </header>
      <div className={styles.parts}>
        <Segmented
          label={SKILL.parts}
          segments={segments}
          value={part}
          onChange={(next) => showPart(server.id, next)}
        />
      </div>
      {part === 'summary' && <Summary skill={skill} report={report} />}
      {part === 'files' && (
        <Files server={server} skill={skill} report={report} requestKey={requestKey} />
      )}
      {part === 'frontmatter' && (
        <Frontmatter declared={skill.frontmatter} fields={report?.frontmatter} />
      )}
    </div>
  );
}

interface VerdictProps {
  report: SkillReport | undefined;
  isBusy: boolean;
  problem: string | null;
}

function Verdict({ report, isBusy, problem }: VerdictProps) {
  const verdict = report && verification(report.verdict);
  return (
    <span role="status" className="min-w-0 break-anywhere">
      {isBusy ? (
        SKILL.verifying
      ) : problem !== null ? (
        <span className={styles.bad}>✕ {visibleText(problem)}</span>
      ) : verdict ? (
        <span className={styles.mark} data-tone={verdict.tone}>
          <Glyph glyph={verdict.glyph} tone={verdict.tone} />
          {verdict.label}
        </span>
      ) : (
        <span className="remark">{SKILL.notVerified}</span>
      )}
    </span>
  );
}

interface SummaryProps {
  skill: SkillView;
  report: SkillReport | undefined;
}

/** The parts of a skill that a client would load, and the findings about it. */
function Summary({ skill, report }: SummaryProps) {
  const findings = report?.findings ?? skill.findings;
  const files = report?.files.filter(({ findings }) => findings.length > 0) ?? [];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and may hold nothing to focus.
    <section className={styles.scroll} tabIndex={0} aria-label={SKILL.summary}>
      <Section title={SKILL.load}>
        <Levels skill={skill} report={report} />
        <p className="remark">{SKILL.toolsIgnored}</p>
      </Section>
      <Section title={SKILL.findings}>
        {findings.length === 0 && files.length === 0 && (
          <p className="remark">{report ? SKILL.noFindingsAtAll : SKILL.noFindings}</p>
        )}
        <FindingList leads="case" findings={findings} />
        {files.map((file) => (
          <div key={file.uri}>
            <h3 className={styles.fileName}>{visibleText(file.path)}</h3>
            <FindingList leads="case" findings={file.findings} />
          </div>
        ))}
        <p className="remark">{SKILL.digests}</p>
      </Section>
    </section>
  );
}

function Levels({ skill, report }: SummaryProps) {
  const others = skill.files.filter(({ uri }) => uri !== skill.uri);
  const otherSize = others.reduce((sum, { size }) => sum + (size ?? 0), 0);
  const instructions = report?.instructionsTokens ?? null;
  const hasOthers = others.length > 0 || (report?.files.length ?? 0) > 1;
  const costs = [
    SKILL.tokens(skill.tokens),
    instructions === null ? SKILL.unknownTokens : SKILL.tokens(instructions),
    !hasOthers && !skill.isDynamic
      ? SKILL.noOtherFiles
      : report
        ? SKILL.tokens(report.fileTokens)
        : others.length > 0
          ? SKILL.ofFiles(others.length, formatSize(otherSize))
          : SKILL.unknownTokens,
  ];
  return (
    <ol className="plain-list m-0">
      {SKILL.levels.map(([when, what], index) => (
        <li key={when} className={styles.level}>
          <span className="remark">{when}</span>
          <span>{what}</span>
          <span className={styles.cost}>{costs[index]}</span>
        </li>
      ))}
    </ol>
  );
}

interface FrontmatterProps {
  /** JSON text in the entry. */
  declared: string;
  /** Absent until `SKILL.md` was read. */
  fields: readonly FrontmatterField[] | undefined;
}

/** The frontmatter in the entry, beside that in `SKILL.md` once it was read. */
function Frontmatter({ declared, fields }: FrontmatterProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and may hold nothing to focus.
    <section className={styles.scroll} tabIndex={0} aria-label={SKILL.frontmatter}>
      {fields === undefined || fields.length === 0 ? (
        <div className="pad-x-7 pad-y-6">
          <p className="remark">{SKILL.asListed}</p>
          <JsonView text={declared} label={SKILL.declared} />
        </div>
      ) : (
        <table className={styles.fields}>
          <TableHead titles={[SKILL.field, SKILL.declared, SKILL.found, SKILL.comparison]} />
          <tbody>
            {fields.map((field) => (
              <tr key={field.name} data-differs={!field.isEqual || undefined}>
                <th scope="row">{visibleText(field.name)}</th>
                <td>{shownValue(field.declared)}</td>
                <td>{shownValue(field.found)}</td>
                <td className={field.isEqual ? styles.ok : styles.bad}>
                  {field.isEqual ? `✓ ${SKILL.equal}` : `✕ ${SKILL.differs}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function shownValue(json: string | null) {
  return json === null ? (
    <span className="remark">{SKILL.absent}</span>
  ) : (
    <code>{visibleText(json)}</code>
  );
}
