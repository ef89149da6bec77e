import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView, SkillFileView } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { EmptyState } from '@/components/EmptyState';
import { Glyph } from '@/components/Glyph';
import { useAsyncEffect } from '@/components/use-async-effect';
import { formatSize } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { FindingList } from '@/widgets/findings/FindingList';
import { ResultBody } from '@/widgets/result/ResultBody';
import styles from './skills.module.css';
import { fileVerification, SKILL } from './texts';

interface FileDetailProps {
  server: ServerView;
  skill: string;
  file: string;
  /** Name of the request. */
  requestKey: string;
}

/** One file: it is read, held against its entry, and shown. */
export function FileDetail({ server, skill, file, requestKey }: FileDetailProps) {
  const backend = useBackend();
  const [view, setView] = useState<SkillFileView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useAsyncEffect(
    () => ({
      start: () => backend.readSkillFile(server.id, requestKey, skill, file),
      onValue: setView,
      onError: (reason) => setProblem(asCommandError(reason).message),
    }),
    [backend, server.id, requestKey, skill, file],
  );
  if (problem !== null) return <EmptyState title={visibleText(problem)} />;
  if (!view) return <EmptyState title={SKILL.reading} />;
  const { verdict, tokens, size, sizeDeclared: declared, digest, findings } = view.file;
  const { glyph, tone, label } = fileVerification(verdict);
  return (
    <div className="pane">
      <header className={styles.fileHead}>
        <p className={styles.fileFacts}>
          <span className={styles.mark} data-tone={tone}>
            <Glyph glyph={glyph} tone={tone} />
            {label}
          </span>
          <span>{size === null ? SKILL.notRead : formatSize(size)}</span>
          {declared === null && <span>{SKILL.unlisted}</span>}
          {tokens !== null && <span>{SKILL.tokens(tokens)}</span>}
          {digest !== null && (
            <code className="min-w-0 truncate selectable text-small">{digest}</code>
          )}
        </p>
        <FindingList leads="case" findings={findings} />
      </header>
      <div className="fill">
        <ResultBody report={view.report} server={server.id} />
      </div>
    </div>
  );
}
