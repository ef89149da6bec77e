import { useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { PermissionRule, PermissionRulesView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import type { Column } from '@/components/virtual-table/columns';
import { visibleText } from '@/lib/visible-text';
import { useConfiguration } from '@/state/setup/configuration';
import { useAnswer } from '@/widgets/use-answer';
import { Answered } from '../Answered';
import { cellText } from '../cells';
import styles from '../clients.module.css';
import { ListPage } from '../ListPage';
import { RowTable, textColumn } from '../RowTable';
import { StatusMark } from '../StatusMark';
import type { ClientScope } from '../scope';
import { EFFECTS, RULES } from '../texts';
import { useFilter } from '../use-filter';
import { TryCall } from './TryCall';

/** The rules of the client about calls, and what they say of one. */
export function RulesSection({ scope }: { scope: ClientScope }) {
  const backend = useBackend();
  const { client } = scope;
  const fileRevision = useConfiguration((state) => state.view.revision);
  const answer = useAnswer(
    client.hasRules ? () => backend.getPermissionRules(client.client) : null,
    [backend, client, fileRevision],
  );
  if (!client.hasRules) {
    return <EmptyState title={RULES.unknown(client.title)}>{RULES.unknownHint}</EmptyState>;
  }
  return <Answered answer={answer}>{(view) => <Listed scope={scope} view={view} />}</Answered>;
}

const textOf = ({ rule }: RuleRow) => `${rule.effect} ${rule.text} ${rule.server ?? ''}`;

function Listed({ scope, view }: { scope: ClientScope; view: PermissionRulesView }) {
  const [selected, setSelected] = useState<number | null>(null);
  const rows = useMemo(() => ruleRows(view.rules), [view]);
  const { field, filter, drawn } = useFilter(RULES.filter, rows, textOf);
  return (
    <ListPage
      name="model-rules"
      side={<TryCall scope={scope} onRule={(rule) => setSelected(placeOf(view, rule))} />}
    >
      <div className="bar gap-4 min-w-0 h-bar pad-x-5 pad-y-0">
        {field}
        <span className="remark">{RULES.read(view.files.length)}</span>
      </div>
      <RowTable
        label={RULES.list}
        columns={RULE_COLUMNS}
        rows={drawn}
        selected={selected}
        onSelect={setSelected}
        filter={filter}
        empty={<Nothing client={scope.client.title} files={view.files} />}
      />
    </ListPage>
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

function Nothing({ client, files }: { client: string; files: readonly string[] }) {
  return (
    <EmptyState title={RULES.none(client)}>
      {files.length === 0 ? (
        RULES.noneRead
      ) : (
        <>
          <p>{RULES.noneHint}</p>
          {files.map((file) => (
            <p key={file}>
              <code>{visibleText(file)}</code>
            </p>
          ))}
        </>
      )}
    </EmptyState>
  );
}

/** A rule with its place in the list. */
interface RuleRow {
  index: number;
  rule: PermissionRule;
}

function ruleRows(rules: readonly PermissionRule[]): readonly RuleRow[] {
  return rules.map((rule, index) => ({ index, rule }));
}

/** The name of a file, which is enough to know it by; the whole path is its tooltip. */
function shortPath(path: string): string {
  return path.split(/[\\/]/).slice(-2).join('/');
}

const RULE_COLUMNS: readonly Column<RuleRow, undefined>[] = [
  {
    id: 'effect',
    title: RULES.effect,
    width: 84,
    cell: ({ rule }) => <StatusMark status={EFFECTS[rule.effect]} />,
  },
  textColumn({ id: 'rule', title: RULES.rule, width: 240, takesRest: true }, ({ rule }) =>
    rule.arguments === null ? rule.text : `${rule.text} · ${rule.arguments}`,
  ),
  {
    id: 'level',
    title: RULES.level,
    width: 120,
    yields: 1,
    cell: ({ rule }) =>
      rule.server === null ? (
        <span className={styles.plain}>{RULES.global}</span>
      ) : (
        cellText(rule.server)
      ),
  },
  {
    id: 'place',
    title: RULES.place,
    width: 230,
    cell: ({ rule: { place } }) => (
      <span title={RULES.line(place.file, place.line)}>
        {cellText(RULES.line(shortPath(place.file), place.line))}
      </span>
    ),
  },
];
