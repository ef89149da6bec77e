import { Check } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Draft, Target, TokenCostView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { SearchField } from '@/components/SearchField';
import type { Column } from '@/components/virtual-table/columns';
import { fileOf, useConfiguration } from '@/state/configuration';
import { useDialogs } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { cellText, filtered } from '../cells';
import { tokenText } from '../cost/cost-rows';
import styles from '../model.module.css';
import { RowTable } from '../RowTable';
import { CHOICE, COST, MODEL } from '../texts';
import { isOn, type ToolLists, withSwitched } from './selection';

interface ChoiceTableProps {
  target: Target;
  /** Name of the server. */
  name: string;
  draft: Draft;
  lists: ToolLists;
  /** Names of the tools, by their place in the list of the server. */
  tools: readonly string[];
  cost: TokenCostView;
}

/** A tool with its box. */
interface ChoiceRow {
  index: number;
  tool: string;
  tokens: number;
  isOn: boolean;
  isSwitched: boolean;
}

const ALL = { enabled: null, disabled: [] };

/** The tools of one server with a box each. What is switched is written once it was looked at. */
export function ChoiceTable(props: ChoiceTableProps) {
  const { target, name, draft, lists, tools, cost } = props;
  const backend = useBackend();
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter);
  const [selected, setSelected] = useState<number | null>(null);
  const [switched, setSwitched] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isWritable = useConfiguration(({ view }) => fileOf(view, target)?.writable === true);
  const now = draft.tools ?? ALL;
  const rows = useMemo(
    () =>
      cost.cost.tools.map(({ index, figures }): ChoiceRow => {
        const tool = tools[index] ?? '';
        const was = isOn(draft.tools ?? ALL, tool);
        const on = switched.get(tool) ?? was;
        return { index, tool, tokens: figures.sent.tokens, isOn: on, isSwitched: on !== was };
      }),
    [cost, tools, draft, switched],
  );
  const drawn = useMemo(() => filtered(rows, wanted, ({ tool }) => tool), [rows, wanted]);
  const isExact = cost.precision === 'exact';
  const columns = useMemo(() => columnsOf(isExact), [isExact]);
  const off = rows.filter((row) => !row.isOn);
  const total = cost.cost.total.sent.tokens;
  const left = total - off.reduce((sum, { tokens }) => sum + tokens, 0);
  const hasChanges = rows.some(({ isSwitched }) => isSwitched);
  const flip = (row: ChoiceRow) => {
    if (isWritable) setSwitched(new Map(switched).set(row.tool, !row.isOn));
  };
  const review = async () => {
    const changed = new Map(
      rows.filter(({ isSwitched }) => isSwitched).map(({ tool, isOn: on }) => [tool, on] as const),
    );
    try {
      const file = await backend.configurationText(target);
      const text = await backend.draftIntoText(target, file.text, name, {
        ...draft,
        tools: withSwitched(lists, now, tools, changed),
      });
      useDialogs.getState().show({ kind: 'config-change', action: { kind: 'text', target, text } });
    } catch (reason) {
      showError(reason);
    }
  };
  return (
    <>
      <div className={styles.bar}>
        <SearchField
          label={CHOICE.filter}
          className={styles.search}
          value={filter}
          onChange={setFilter}
        />
        <span className="figures" role="status">
          {CHOICE.on(rows.length - off.length, rows.length)} · <b>{tokenText(left, isExact)}</b>{' '}
          {CHOICE.ofTokens(tokenText(total, isExact))}
        </span>
        {hasChanges && <Button onPress={() => setSwitched(new Map())}>{CHOICE.discard}</Button>}
        <Button variant="primary" isDisabled={!hasChanges} onPress={() => void review()}>
          {CHOICE.review}
        </Button>
      </div>
      <RowTable
        label={CHOICE.list}
        columns={columns}
        rows={drawn}
        rowKey={({ index }) => index}
        selected={selected}
        onSelect={({ index }) => setSelected(index)}
        onOpen={flip}
        onKey={(row, key) => {
          if (key !== ' ') return false;
          flip(row);
          return true;
        }}
        empty={
          wanted.trim() === '' ? (
            <EmptyState title={COST.none}>{CHOICE.noTools}</EmptyState>
          ) : (
            <EmptyState title={MODEL.noMatch(wanted)} />
          )
        }
      />
      <p className={styles.foot}>{isWritable ? CHOICE.explain : CHOICE.readOnly}</p>
    </>
  );
}

function columnsOf(isExact: boolean): readonly Column<ChoiceRow, undefined>[] {
  return [
    {
      id: 'on',
      title: '',
      label: CHOICE.box,
      width: 34,
      isFixed: true,
      cell: ({ isOn: on }) => (
        <>
          <span className={styles.box} data-on={on || undefined} aria-hidden="true">
            {on && <Check size={11} />}
          </span>
          <span className="visually-hidden">{on ? CHOICE.isOn : CHOICE.isOff}</span>
        </>
      ),
    },
    {
      id: 'tool',
      title: MODEL.tool,
      width: 200,
      takesRest: true,
      cell: ({ tool, isOn: on }) => (
        <span className={on ? undefined : styles.off} title={cellText(tool)}>
          {cellText(tool)}
        </span>
      ),
    },
    {
      id: 'changed',
      title: CHOICE.change,
      width: 110,
      cell: ({ isSwitched, isOn: on }) =>
        isSwitched && (
          <span className={styles.plain}>{on ? CHOICE.willBeOn : CHOICE.willBeOff}</span>
        ),
    },
    {
      id: 'tokens',
      title: COST.tokens,
      width: 92,
      align: 'end',
      cell: ({ tokens }) => tokenText(tokens, isExact),
    },
  ];
}
