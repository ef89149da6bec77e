import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { useBackend } from '@/backend/backend';
import type { ServerView, SkillListView, SkillRow } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Glyph } from '@/components/Glyph';
import { moveByLetters } from '@/components/letter-keys';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { oneSelected } from '@/components/one-selected';
import { SearchField } from '@/components/SearchField';
import { visibleText } from '@/lib/visible-text';
import { connectionOf, loadSkills, skillSupport, useSkills } from '@/state/calls/skills';
import { FindingList } from '@/widgets/findings/FindingList';
import { SkillDetail } from './SkillDetail';
import styles from './skills.module.css';
import { SKILLS, verification } from './texts';

const PANES = [
  { id: 'list', size: 320, min: 200, keepsPixels: true },
  { id: 'skill', min: 260 },
] as const;

/** The skills of a server, and how each stands the comparison with its files. */
export default function SkillsTab({ server }: { server: ServerView }) {
  switch (skillSupport(server)) {
    case 'not-connected':
      return <EmptyState title={SKILLS.notConnected}>{SKILLS.notConnectedHint}</EmptyState>;
    case 'other-era':
      return <EmptyState title={SKILLS.otherEra}>{SKILLS.otherEraHint}</EmptyState>;
    case 'none':
      return <EmptyState title={SKILLS.none}>{SKILLS.noneHint}</EmptyState>;
    default:
      return <Listed server={server} />;
  }
}

function Listed({ server }: { server: ServerView }) {
  const backend = useBackend();
  const list = useSkills((state) => state.lists[server.id]);
  const selected = useSkills((state) => state.selected[server.id]);
  const isCurrent = list?.connection === connectionOf(server);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each connection.
  useEffect(() => {
    if (!isCurrent) void loadSkills(backend, server);
  }, [isCurrent, backend, server.id]);
  if (!list || !isCurrent || list.isLoading) return <EmptyState title={SKILLS.loading} />;
  const again = <Button onPress={() => void loadSkills(backend, server)}>{SKILLS.again}</Button>;
  if (!list.view) {
    return (
      <EmptyState title={SKILLS.failed} action={again}>
        {visibleText(list.problem ?? '')}
      </EmptyState>
    );
  }
  if (list.view.skills.length === 0 && list.view.findings.length === 0) {
    return (
      <EmptyState title={SKILLS.empty} action={again}>
        {SKILLS.emptyHint}
      </EmptyState>
    );
  }
  const shown = selected ?? list.view.skills[0]?.uri;
  return (
    <ListDetail name="skills" panes={PANES}>
      <SkillList server={server} view={list.view} selected={shown} />
      {shown === undefined ? (
        <EmptyState title={SKILLS.choose} />
      ) : (
        <SkillDetail key={`${server.id}\n${shown}`} server={server} uri={shown} />
      )}
    </ListDetail>
  );
}

/** Rows that are drawn; a server may list thousands. */
const MAX_ROWS = 300;

interface SkillListProps {
  server: ServerView;
  view: SkillListView;
  selected: string | undefined;
}

/** The skills that a server listed. */
function SkillList({ server, view, selected }: SkillListProps) {
  const backend = useBackend();
  const [filter, setFilter] = useState('');
  const select = useSkills((state) => state.select);
  const wanted = filter.trim().toLowerCase();
  const matching = view.skills.filter(({ name, description, uri }) =>
    [name, description, uri].some((text) => text.toLowerCase().includes(wanted)),
  );
  const rows = matching.slice(0, MAX_ROWS);
  return (
    <div className="pane">
      <div className="bar gap-3 h-bar pad-x-4 pad-y-0">
        <SearchField
          label={SKILLS.filter}
          value={filter}
          onChange={setFilter}
          className={styles.search}
        />
        <IconButton
          icon={RotateCw}
          label={SKILLS.again}
          variant="plain"
          onPress={() => void loadSkills(backend, server)}
        />
      </div>
      <p className={styles.total}>{SKILLS.always(view.skills.length, view.tokens)}</p>
      {view.findings.length > 0 && (
        <details className={styles.listFindings}>
          <summary>{SKILLS.listFindings(view.findings.length)}</summary>
          <FindingList leads="case" findings={view.findings} />
        </details>
      )}
      {rows.length === 0 ? (
        <EmptyState title={SKILLS.noMatch} />
      ) : (
        <div className={styles.rows} onKeyDownCapture={moveByLetters}>
          <ListBox
            aria-label={SKILLS.list}
            {...oneSelected(selected ?? null, (skill) => select(server.id, skill))}
          >
            {rows.map((row) => (
              <ListBoxItem
                key={row.uri}
                id={row.uri}
                textValue={visibleText(row.name)}
                className={styles.row}
              >
                <Row server={server} row={row} />
              </ListBoxItem>
            ))}
          </ListBox>
          {matching.length > rows.length && (
            <p className="remark">{SKILLS.more(matching.length - rows.length)}</p>
          )}
          {view.leftOut > 0 && <p className="remark">{SKILLS.leftOut(view.leftOut)}</p>}
        </div>
      )}
    </div>
  );
}

function Row({ server, row }: { server: ServerView; row: SkillRow }) {
  const report = useSkills((state) => state.reports[server.id]?.[row.uri]);
  const verdict = report && verification(report.verdict);
  return (
    <>
      <span className="row-baseline justify-between gap-4 min-w-0">
        <bdi className={styles.name}>{visibleText(row.name) || visibleText(row.uri)}</bdi>
        <span className="row-baseline gap-4 flex-none text-small">
          {!report && row.errors > 0 && (
            <span className={styles.bad}>{SKILLS.errors(row.errors)}</span>
          )}
          {verdict && (
            <span className={styles.mark} data-tone={verdict.tone}>
              <Glyph glyph={verdict.glyph} tone={verdict.tone} />
              {verdict.label.split(':')[0]}
            </span>
          )}
          <span className="nowrap figures text-small remark">{SKILLS.fileCount(row.files)}</span>
        </span>
      </span>
      <span className="truncate remark" dir="auto">
        {visibleText(row.description)}
      </span>
    </>
  );
}
