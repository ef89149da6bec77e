import { ListBox, ListBoxItem } from 'react-aria-components';
import { useBackend } from '@/backend/backend';
import type { ServerView, SkillFileReport, SkillReport, SkillView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { Glyph } from '@/components/Glyph';
import { moveByLetters } from '@/components/letter-keys';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { oneSelected } from '@/components/one-selected';
import { formatSize } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { useOpenFile, useSkills } from '@/state/calls/skills';
import { FindingList } from '@/widgets/findings/FindingList';
import { ResultBody } from '@/widgets/result/ResultBody';
import { useAnswer } from '@/widgets/use-answer';
import { type TreeLine, treeOf } from './file-tree';
import styles from './skills.module.css';
import { fileVerification, SKILL, SKILLS } from './texts';

const PANES = [
  { id: 'files', size: 240, min: 140, keepsPixels: true },
  { id: 'file', min: 200 },
] as const;

interface FilesProps {
  server: ServerView;
  skill: SkillView;
  report: SkillReport | undefined;
  /** Name of the requests. */
  requestKey: string;
}

/** The files of a skill, each with its verdict, and the content of the one that is opened. */
export function Files({ server, skill, report, requestKey }: FilesProps) {
  const opened = useOpenFile(server.id, skill.uri);
  const openFile = useSkills((state) => state.openFile);
  const readsDirectories = useSkills(
    (state) => state.lists[server.id]?.view?.readsDirectories ?? false,
  );
  const verified = new Map(report?.files.map((file) => [file.uri, file]));
  const files = [
    ...skill.files,
    ...(report?.files ?? []).filter(({ uri }) => skill.files.every((file) => file.uri !== uri)),
  ].map(({ uri, path }) => ({ uri, path: path ?? uri }));
  const sizes = new Map(skill.files.map(({ uri, size }) => [uri, size]));
  if (files.length === 0) {
    return <EmptyState title={SKILL.notListed}>{SKILL.dynamicFiles(readsDirectories)}</EmptyState>;
  }
  const lines = treeOf(files);
  return (
    <div className={styles.fill}>
      <ListDetail name="skill-files" panes={PANES}>
        <div className={styles.rows} onKeyDownCapture={moveByLetters}>
          <ListBox
            aria-label={SKILLS.files}
            disabledKeys={lines.filter(({ uri }) => uri === null).map(({ id }) => id)}
            {...oneSelected(opened, (file) => openFile(server.id, skill.uri, file))}
          >
            {lines.map((line) => (
              <ListBoxItem
                key={line.id}
                id={line.id}
                textValue={visibleText(line.name)}
                className={styles.file}
                style={{ paddingInlineStart: `${12 + line.depth * 14}px` }}
              >
                <FileLine
                  line={line}
                  report={line.uri === null ? undefined : verified.get(line.uri)}
                  size={line.uri === null ? null : (sizes.get(line.uri) ?? null)}
                />
              </ListBoxItem>
            ))}
          </ListBox>
          {skill.leftOut > 0 && <p className="remark">{SKILL.leftOut(skill.leftOut)}</p>}
        </div>
        {opened === null ? (
          <EmptyState title={SKILL.chooseFile}>{SKILL.chooseFileHint}</EmptyState>
        ) : (
          <FileDetail
            key={opened}
            server={server}
            skill={skill.uri}
            file={opened}
            requestKey={requestKey}
          />
        )}
      </ListDetail>
    </div>
  );
}

interface FileLineProps {
  line: TreeLine;
  report: SkillFileReport | undefined;
  size: number | null;
}

function FileLine({ line, report, size }: FileLineProps) {
  if (line.uri === null) return <span className="remark">{visibleText(line.name)}/</span>;
  const verdict = report && fileVerification(report.verdict);
  return (
    <>
      <span className="grow truncate code">{visibleText(line.name)}</span>
      <span className="nowrap figures text-small remark">
        {size === null ? '' : formatSize(size)}
      </span>
      {verdict && (
        <span className={styles.mark} data-tone={verdict.tone}>
          <Glyph glyph={verdict.glyph} tone={verdict.tone} />
          {verdict.label}
        </span>
      )}
    </>
  );
}

interface FileDetailProps {
  server: ServerView;
  skill: string;
  file: string;
  /** Name of the request. */
  requestKey: string;
}

/** One file: it is read, held against its entry, and shown. */
function FileDetail({ server, skill, file, requestKey }: FileDetailProps) {
  const backend = useBackend();
  const { value: view, problem } = useAnswer(
    () => backend.readSkillFile(server.id, requestKey, skill, file),
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
