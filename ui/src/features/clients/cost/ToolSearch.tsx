import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ToolSearchVerdict } from '@/backend/bindings';
import { Problem } from '@/components/Problem';
import { SearchField } from '@/components/SearchField';
import { Section } from '@/components/Section';
import { Select } from '@/components/Select';
import { useAnswer } from '@/widgets/use-answer';
import { cellText } from '../cells';
import styles from '../clients.module.css';
import type { ClientScope } from '../scope';
import { COST, TOOL_SEARCH_SETTINGS } from '../texts';

/** Milliseconds for which typing has to rest. */
const TYPING_DELAY = 150;

interface ToolSearchProps {
  scope: ClientScope;
  /** Absent until the tools are counted. */
  verdict: ToolSearchVerdict | null;
  setting: string;
  onSetting(setting: string): void;
}

/** Answer to whether tools would be loaded on demand, and the tools that a query would load. */
export function ToolSearch({ scope, verdict, setting, onSetting }: ToolSearchProps) {
  const backend = useBackend();
  const [query, setQuery] = useState('');
  const { client, connected, revision } = scope;
  const wanted = query.trim();
  const { value, problem } = useAnswer(
    wanted === '' ? null : () => backend.searchModelTools([...connected], wanted),
    [backend, revision, wanted],
    TYPING_DELAY,
  );
  return (
    <Section title={COST.search}>
      {!client.hasToolSearch && <p className="remark">{COST.searchOther(client.title)}</p>}
      <Select
        label={COST.searchSetting}
        choices={TOOL_SEARCH_SETTINGS}
        value={TOOL_SEARCH_SETTINGS.find(({ value: known }) => known === setting)?.value ?? null}
        onChange={onSetting}
      />
      {verdict && (
        <div role="status" className="stack gap-1 break-anywhere">
          <b>{verdict.isOn ? COST.searchOn : COST.searchOff}</b>
          <p className="remark">{verdict.reason}</p>
        </div>
      )}
      <SearchField
        label={COST.query}
        placeholder={`${COST.query}: ${COST.queryHint}`}
        mono
        value={query}
        onChange={setQuery}
      />
      <Problem text={problem} />
      {wanted !== '' && value && value.found.length === 0 && (
        <p className="remark">{COST.foundNone(value.searched)}</p>
      )}
      {wanted !== '' && value && value.found.length > 0 && (
        <ol className={styles.lines} aria-label={COST.found}>
          {value.found.map(({ name, score }) => (
            <li key={name} className={styles.found}>
              <span className="mono" title={cellText(name)}>
                {cellText(name)}
              </span>
              <span className="remark">{score === null ? COST.byName : COST.score(score)}</span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
