import type { SkillReport, SkillView } from '@/backend/bindings';
import { Section } from '@/components/Section';
import { formatSize } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { FindingList } from '@/widgets/findings/FindingList';
import styles from './skills.module.css';
import { SKILL } from './texts';

interface SummaryProps {
  skill: SkillView;
  report: SkillReport | undefined;
}

/** The parts of a skill that a client would load, and the findings about it. */
export function Summary({ skill, report }: SummaryProps) {
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
