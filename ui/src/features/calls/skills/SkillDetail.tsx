import { useId, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView, SkillReport, SkillView } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Glyph } from '@/components/Glyph';
import { Segmented } from '@/components/Segmented';
import { useAsyncEffect } from '@/components/use-async-effect';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { useSkills } from '@/state/calls/skills';
import { showError } from '@/state/notices';
import { useAttempt } from '@/state/servers/attempt';
import { Files } from './Files';
import { Frontmatter } from './Frontmatter';
import { Summary } from './Summary';
import styles from './skills.module.css';
import { SKILL, verification } from './texts';

/** One skill: its entry, and how its files stand the comparison with it. */
export function SkillDetail({ server, uri }: { server: ServerView; uri: string }) {
  const backend = useBackend();
  const [skill, setSkill] = useState<SkillView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const key = `skill ${useId()}`;
  useAsyncEffect(
    () => ({
      start: () => backend.getSkill(server.id, key, uri),
      onValue: setSkill,
      onError: (reason) => setProblem(asCommandError(reason).message),
    }),
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
