import { useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { PortabilityGroup, PortabilityView } from '@/backend/bindings';
import { CodeText } from '@/components/CodeText';
import { EmptyState } from '@/components/EmptyState';
import { Section } from '@/components/Section';
import type { Column } from '@/components/virtual-table/columns';
import { formatCount } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { useAnswer } from '@/widgets/use-answer';
import { Answered } from '../Answered';
import { cellText } from '../cells';
import styles from '../clients.module.css';
import { ListPage } from '../ListPage';
import { RowTable } from '../RowTable';
import { SourceText } from '../SourceText';
import { StatusMark } from '../StatusMark';
import { type ClientScope, isOfAll } from '../scope';
import { PROVIDERS, RULE_LABELS, SENT } from '../texts';

/** The faults that the tools have on their way to each model interface. */
export function Portability({ scope }: { scope: ClientScope }) {
  const backend = useBackend();
  const { client, connected, revision } = scope;
  const answer = useAnswer(
    () =>
      backend.getPortability(
        [...connected],
        PROVIDERS.map((provider) => provider.value),
        client.scheme,
      ),
    [backend, revision, client.scheme],
  );
  return <Answered answer={answer}>{(view) => <Found scope={scope} view={view} />}</Answered>;
}

/** A finding with its place in the list. */
interface FindingRow {
  index: number;
  group: PortabilityGroup;
}

function Found({ scope, view }: { scope: ClientScope; view: PortabilityView }) {
  const [selected, setSelected] = useState<number | null>(null);
  const rows = useMemo(() => view.groups.map((group, index) => ({ index, group })), [view]);
  const group = selected === null ? undefined : view.groups[selected];
  return (
    <ListPage
      name="model-portability"
      side={
        group ? (
          <Finding scope={scope} group={group} />
        ) : (
          <EmptyState title={SENT.chooseFinding}>{SENT.chooseFindingHint}</EmptyState>
        )
      }
    >
      <RowTable
        label={SENT.findings}
        columns={COLUMNS}
        rows={rows}
        selected={selected}
        onSelect={setSelected}
        empty={<EmptyState title={SENT.portable}>{SENT.portableHint}</EmptyState>}
      />
      {view.leftOut > 0 && <p className={styles.foot}>{SENT.leftOut(view.leftOut)}</p>}
    </ListPage>
  );
}

const NO_LABEL = { glyph: '·', tone: 'idle', label: '' } as const;

const COLUMNS: readonly Column<FindingRow, undefined>[] = [
  {
    id: 'rule',
    title: SENT.changes,
    width: 124,
    cell: ({ group }) => <StatusMark status={RULE_LABELS[group.rule] ?? NO_LABEL} />,
  },
  {
    id: 'interface',
    title: SENT.interface,
    width: 170,
    cell: ({ group }) => <span className={styles.plain}>{group.title}</span>,
  },
  {
    id: 'reason',
    title: SENT.reason,
    width: 200,
    takesRest: true,
    cell: ({ group }) => (
      <span className={styles.plain} title={cellText(group.reason)}>
        <CodeText text={cellText(group.reason)} />
      </span>
    ),
  },
  {
    id: 'count',
    title: SENT.count,
    width: 70,
    yields: 1,
    align: 'end',
    cell: ({ group }) => formatCount(group.count),
  },
];

function Finding({ scope, group }: { scope: ClientScope; group: PortabilityGroup }) {
  const { servers, connected } = scope;
  const nameOf = (place: number) =>
    cellText(servers.find(({ id }) => id === connected[place])?.name ?? '');
  return (
    <>
      <Section title={group.title}>
        <StatusMark status={RULE_LABELS[group.rule] ?? NO_LABEL} />
        <p className="break-anywhere selectable">
          <CodeText text={visibleText(group.reason)} />
        </p>
        <p className="remark">{group.why}</p>
        <p className="break-anywhere selectable text-small remark">
          <SourceText text={group.source} />
        </p>
      </Section>
      <Section title={SENT.places}>
        <ul className={styles.lines}>
          {group.places.map(({ server, tool, path }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the places of one finding never move
            <li key={index} className={styles.place}>
              <span className="mono">
                {tool === null ? SENT.ofList : cellText(tool)}
                {isOfAll(scope) && tool !== null && (
                  <span className="remark"> {nameOf(server)}</span>
                )}
              </span>
              {tool !== null && (
                <code className="break-anywhere selectable text-small remark">
                  {path === '' ? SENT.root : cellText(path)}
                </code>
              )}
            </li>
          ))}
        </ul>
        {group.count > group.places.length && (
          <p className="remark">{SENT.morePlaces(group.count - group.places.length)}</p>
        )}
      </Section>
    </>
  );
}
