import { useMemo, useState } from 'react';
import type { TokenTableView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { Section } from '@/components/Section';
import { Select } from '@/components/Select';
import type { Column, ColumnSort } from '@/components/virtual-table/columns';
import { formatCount } from '@/lib/format';
import { useInClients } from '@/state/clients/in-clients';
import { tokenText, usualModel } from '@/state/clients/token-sums';
import { Answered } from '../Answered';
import styles from '../clients.module.css';
import { ListPage } from '../ListPage';
import { RowTable, textColumn } from '../RowTable';
import { type ClientScope, isOfAll } from '../scope';
import { COST, COUNTED_MODELS, MODEL } from '../texts';
import { useCost } from '../use-cost';
import { type CostRow, costRows } from './cost-rows';
import { Figures } from './FigureTable';
import { ResultMeasure } from './ResultMeasure';
import { Sums } from './Sums';
import { ToolSearch } from './ToolSearch';

/** Sizes of context windows that models have. */
const WINDOWS = [32_000, 128_000, 200_000, 400_000, 1_000_000];

/** The tokens that the tools of servers cost a model, and the limits on what they answer. */
export function CostSection({ scope }: { scope: ClientScope }) {
  const { client, connected } = scope;
  const [setting, setSetting] = useState('environment');
  const answer = useCost(scope, connected, {
    toolSearch: setting === 'environment' ? null : setting,
    withUnsent: false,
  });
  const { value } = answer;
  return (
    <ListPage
      name="model-cost"
      side={
        <>
          {value && isOfAll(scope) && <Sums scope={scope} view={value} />}
          <ToolSearch
            scope={scope}
            verdict={value?.toolSearch ?? null}
            setting={setting}
            onSetting={setSetting}
          />
          <ResultMeasure scope={scope} isExact={value?.precision === 'exact'} />
          {value && (
            <Section title={COST.method}>
              <p className="remark">{value.precision === 'exact' ? COST.exact : COST.estimate}</p>
            </Section>
          )}
        </>
      }
    >
      <Choices client={client} />
      <p className="flex-none pad-x-5 pad-y-2 remark">{COST.head(client.title)}</p>
      <Answered answer={answer} asking={COST.counting}>
        {(view) => (
          <>
            <Figures view={view} />
            <CostTable view={view} isOfAll={isOfAll(scope)} />
          </>
        )}
      </Answered>
    </ListPage>
  );
}

function Choices({ client }: Pick<ClientScope, 'client'>) {
  const contextWindow = useInClients((state) => state.contextWindow);
  const model = useInClients((state) => state.models[client.client] ?? usualModel(client.scheme));
  const chooseModel = useInClients((state) => state.chooseModel);
  const chooseWindow = useInClients((state) => state.chooseWindow);
  return (
    <div className="bar gap-4 min-w-0 h-bar pad-x-5 pad-y-0">
      <span className="flex-none remark" aria-hidden="true">
        {COST.model}
      </span>
      <Select
        label={COST.model}
        hideLabel
        className={styles.choice}
        choices={COUNTED_MODELS}
        value={model}
        onChange={(next) => chooseModel(client.client, next)}
      />
      <span className="flex-none remark" aria-hidden="true">
        {COST.window}
      </span>
      <Select
        label={COST.window}
        hideLabel
        className={styles.choice}
        choices={WINDOWS.map((tokens) => ({
          value: String(tokens),
          label: COST.windowSize(tokens),
        }))}
        value={String(contextWindow)}
        onChange={(next) => chooseWindow(Number(next))}
      />
    </div>
  );
}

/** The tools by what each costs, the heaviest first. */
function CostTable({ view, isOfAll }: { view: TokenTableView; isOfAll: boolean }) {
  const [selected, setSelected] = useState<number | null>(null);
  const [sort, setSort] = useState<ColumnSort | null>(null);
  const rows = useMemo(() => costRows(view, sort), [view, sort]);
  const isExact = view.precision === 'exact';
  const columns = useMemo(() => columnsOf(isOfAll, isExact), [isOfAll, isExact]);
  // Downwards, upwards, and as it came again; texts the other way around.
  const sortBy = (column: string) => {
    const isText = column === 'tool' || column === 'server';
    if (sort?.column !== column) setSort({ column, isDescending: !isText });
    else setSort(sort.isDescending === isText ? null : { column, isDescending: isText });
  };
  return (
    <RowTable
      label={COST.list}
      columns={columns}
      rows={rows}
      selected={selected}
      onSelect={setSelected}
      sort={sort ?? { column: 'tokens', isDescending: true }}
      onSort={sortBy}
      empty={<EmptyState title={COST.none}>{COST.noneHint}</EmptyState>}
    />
  );
}

const SERVER = { id: 'server', title: MODEL.server, width: 130 };

function columnsOf(isOfAll: boolean, isExact: boolean): readonly Column<CostRow, undefined>[] {
  const figure = (
    id: string,
    title: string,
    tokensOf: (row: CostRow) => number,
    yields?: number,
  ): Column<CostRow, undefined> => ({
    id,
    title,
    width: 92,
    align: 'end',
    ...(yields === undefined ? {} : { yields }),
    cell: (row) => tokenText(tokensOf(row), isExact),
  });
  return [
    ...(isOfAll ? [textColumn(SERVER, (row: CostRow) => row.server)] : []),
    textColumn({ id: 'tool', title: MODEL.tool, width: 180, takesRest: true }, ({ name }) => name),
    {
      id: 'share',
      title: '',
      label: COST.share,
      width: 90,
      yields: 4,
      isFixed: true,
      cell: ({ share }) => (
        <span className={styles.gauge} aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      ),
    },
    figure('tokens', COST.tokens, ({ tokens }) => tokens),
    figure('description', COST.description, ({ descriptionTokens }) => descriptionTokens),
    figure('schema', COST.schema, ({ schemaTokens }) => schemaTokens),
    figure('name', COST.name, ({ nameTokens }) => nameTokens, 3),
    {
      id: 'bytes',
      title: COST.bytes,
      width: 84,
      align: 'end',
      yields: 2,
      cell: ({ bytes }) => formatCount(bytes),
    },
  ];
}
