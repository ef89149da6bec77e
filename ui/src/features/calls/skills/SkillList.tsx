import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { useBackend } from '@/backend/backend';
import type { ServerView, SkillListView, SkillRow } from '@/backend/bindings';
import { IconButton } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Glyph } from '@/components/Glyph';
import { moveByLetters } from '@/components/letter-keys';
import { SearchField } from '@/components/SearchField';
import { visibleText } from '@/lib/visible-text';
import { loadSkills, useSkills } from '@/state/calls/skills';
import { FindingList } from '@/widgets/findings/FindingList';
import styles from './skills.module.css';
import { SKILLS, verification } from './texts';

/** Rows that are drawn; a server may list thousands. */
const MAX_ROWS = 300;

interface SkillListProps {
  server: ServerView;
  view: SkillListView;
  selected: string | undefined;
}

/** The skills that a server listed. */
export function SkillList({ server, view, selected }: SkillListProps) {
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
            selectionMode="single"
            selectionBehavior="replace"
            disallowEmptySelection
            selectedKeys={selected === undefined ? [] : [selected]}
            onSelectionChange={(keys) => {
              const [key] = keys === 'all' ? [] : keys;
              if (key !== undefined) select(server.id, String(key));
            }}
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
