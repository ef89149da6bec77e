import { Check } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { TokenTableView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import type { Column } from '@/components/virtual-table/columns';
import { tokenText } from '@/state/clients/token-sums';
import { showError } from '@/state/notices';
import { cellText } from '../cells';
import styles from '../clients.module.css';
import { RowTable } from '../RowTable';
import { CHOICE, COST, MODEL } from '../texts';
import { useFilter } from '../use-filter';

/** A tool of the server, as it is now. */
export interface ChosenTool {
  tool: string;
  isOn: boolean;
  /** The rule that decides, where it cannot be switched here. */
  decidedBy: string | null;
}

interface ChoiceTableProps {
  /** The tools, by their place in the list of the server. */
  tools: readonly ChosenTool[];
  cost: TokenTableView;
  isWritable: boolean;
  /** The place where a choice is written. */
  explain: string;
  /** Shows the change that switches tools. */
  onReview(switched: ReadonlyMap<string, boolean>): Promise<void>;
}

/** A tool with its box. */
interface ChoiceRow {
  index: number;
  tool: string;
  tokens: number;
  isOn: boolean;
  isSwitched: boolean;
  decidedBy: string | null;
}

const textOf = ({ tool }: ChoiceRow) => tool;

const UNKNOWN: ChosenTool = { tool: '', isOn: true, decidedBy: null };

/** The tools of one server with a box each. What is switched is written once it was looked at. */
export function ChoiceTable(props: ChoiceTableProps) {
  const { tools, cost, isWritable, explain, onReview } = props;
  const [selected, setSelected] = useState<number | null>(null);
  const [switched, setSwitched] = useState<ReadonlyMap<string, boolean>>(new Map());
  const rows = useMemo(
    () =>
      cost.tools.index.map((index, place): ChoiceRow => {
        const { tool, isOn: was, decidedBy } = tools[index] ?? UNKNOWN;
        const on = switched.get(tool) ?? was;
        const tokens = cost.tools.tokens[place] ?? 0;
        return { index, tool, tokens, isOn: on, isSwitched: on !== was, decidedBy };
      }),
    [cost, tools, switched],
  );
  const { field, filter, drawn } = useFilter(CHOICE.filter, rows, textOf);
  const isExact = cost.precision === 'exact';
  const columns = useMemo(() => columnsOf(isExact), [isExact]);
  const off = rows.filter((row) => !row.isOn);
  const total = cost.total.sent.tokens;
  const left = total - off.reduce((sum, { tokens }) => sum + tokens, 0);
  const hasChanges = rows.some(({ isSwitched }) => isSwitched);
  const flip = (row: ChoiceRow) => {
    if (isWritable && row.decidedBy === null)
      setSwitched(new Map(switched).set(row.tool, !row.isOn));
  };
  const review = async () => {
    const changed = new Map(
      rows.filter(({ isSwitched }) => isSwitched).map(({ tool, isOn: on }) => [tool, on] as const),
    );
    await onReview(changed).catch(showError);
  };
  return (
    <>
      <div className="bar gap-4 min-w-0 h-bar pad-x-5 pad-y-0">
        {field}
        <span className={`figures ${styles.sum}`} role="status">
          <b>{tokenText(left, isExact)}</b> {CHOICE.ofTokens(tokenText(total, isExact))} ·{' '}
          {CHOICE.on(rows.length - off.length, rows.length)}
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
        selected={selected}
        onSelect={setSelected}
        onOpen={flip}
        onKey={(row, key) => {
          if (key !== ' ') return false;
          flip(row);
          return true;
        }}
        filter={filter}
        empty={<EmptyState title={COST.none}>{CHOICE.noTools}</EmptyState>}
      />
      <p className={styles.foot}>{isWritable ? explain : CHOICE.readOnly}</p>
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
        <span className={on ? undefined : 'remark'} title={cellText(tool)}>
          {cellText(tool)}
        </span>
      ),
    },
    {
      id: 'changed',
      title: CHOICE.change,
      width: 150,
      cell: ({ isSwitched, isOn: on, decidedBy }) =>
        isSwitched ? (
          <span className={styles.plain}>{on ? CHOICE.willBeOn : CHOICE.willBeOff}</span>
        ) : (
          decidedBy !== null && (
            <span className="remark" title={cellText(decidedBy)}>
              {cellText(decidedBy)}
            </span>
          )
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
