import type { SkillFinding } from '@/backend/bindings';
import { Glyph } from '@/components/Glyph';
import { visibleText } from '@/lib/visible-text';
import styles from './skills.module.css';
import { SEVERITIES } from './texts';

/** Findings, each with the rule and where it stands. */
export function Findings({ findings }: { findings: readonly SkillFinding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul className="plain-list m-0">
      {findings.map((finding) => {
        const { glyph, tone, label } = SEVERITIES[finding.severity];
        return (
          <li key={`${finding.rule} ${finding.message}`} className={styles.finding}>
            <span className={styles.severity} data-tone={tone}>
              <Glyph glyph={glyph} tone={tone} />
              {label}
            </span>
            <div className="min-w-0 break-anywhere selectable">
              <p dir="auto">{visibleText(finding.message)}</p>
              <p className="remark">
                {finding.requirement} <span className={styles.source}>{finding.source}</span>
              </p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
