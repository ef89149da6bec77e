import { useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { PermissionRulesView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { SearchField } from '@/components/SearchField';
import { visibleText } from '@/lib/visible-text';
import { useConfiguration } from '@/state/setup/configuration';
import { filtered } from '../cells';
import styles from '../clients.module.css';
import { RowTable } from '../RowTable';
import type { ClientScope } from '../scope';
import { MODEL, RULES } from '../texts';
import { useAnswer } from '../use-answer';
import { RULE_COLUMNS, ruleRows } from './rule-columns';
import { TryCall } from './TryCall';

const PANES = [
  { id: 'rules', min: 320 },
  { id: 'call', size: 360, min: 260, keepsPixels: true },
] as const;

/** The rules of the client about calls, and what they say of one. */
export function RulesSection({ scope }: { scope: ClientScope }) {
  const backend = useBackend();
  const { client } = scope;
  const fileRevision = useConfiguration((state) => state.view.revision);
  const { value, problem } = useAnswer(
    client.hasRules ? () => backend.getPermissionRules(client.client) : null,
    [backend, client, fileRevision],
  );
  if (!client.hasRules) {
    return <EmptyState title={RULES.unknown(client.title)}>{RULES.unknownHint}</EmptyState>;
  }
  if (problem !== null) return <EmptyState title={visibleText(problem)} />;
  if (!value) return <EmptyState title={MODEL.asking} />;
  return <Listed scope={scope} view={value} />;
}

function Listed({ scope, view }: { scope: ClientScope; view: PermissionRulesView }) {
  const [filter, setFilter] = useState('');
  const [selected, setSelected] = useState<number | null>(null);
  const rows = useMemo(() => ruleRows(view.rules), [view]);
  const drawn = useMemo(
    () => filtered(rows, filter, ({ rule }) => `${rule.effect} ${rule.text} ${rule.server ?? ''}`),
    [rows, filter],
  );
  return (
    <ListDetail name="model-rules" panes={PANES}>
      <div className="pane">
        <div className="bar gap-4 min-w-0 h-bar pad-x-5 pad-y-0">
          <SearchField
            label={RULES.filter}
            className={styles.search}
            value={filter}
            onChange={setFilter}
          />
          <span className="remark">{RULES.read(view.files.length)}</span>
        </div>
        <RowTable
          label={RULES.list}
          columns={RULE_COLUMNS}
          rows={drawn}
          rowKey={({ index }) => index}
          selected={selected}
          onSelect={({ index }) => setSelected(index)}
          empty={<Nothing scope={scope} view={view} filter={filter} />}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div className={styles.side} tabIndex={0}>
        <TryCall scope={scope} onRule={(rule) => setSelected(placeOf(view, rule))} />
      </div>
    </ListDetail>
  );
}

/** The row of a rule, by the place where it stands. */
function placeOf({ rules }: PermissionRulesView, rule: PermissionRulesView['rules'][number]) {
  const index = rules.findIndex(
    ({ text, place }) =>
      text === rule.text && place.file === rule.place.file && place.line === rule.place.line,
  );
  return index < 0 ? null : index;
}

interface NothingProps {
  scope: ClientScope;
  view: PermissionRulesView;
  filter: string;
}

function Nothing({ scope, view, filter }: NothingProps) {
  if (filter.trim() !== '') return <EmptyState title={MODEL.noMatch(filter)} />;
  return (
    <EmptyState title={RULES.none(scope.client.title)}>
      {view.files.length === 0 ? (
        RULES.noneRead
      ) : (
        <>
          <p>{RULES.noneHint}</p>
          {view.files.map((file) => (
            <p key={file}>
              <code>{visibleText(file)}</code>
            </p>
          ))}
        </>
      )}
    </EmptyState>
  );
}
