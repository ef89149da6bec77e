import { useMemo, useState } from 'react';
import type { TokenTableView } from '@/backend/bindings';
import { Section } from '@/components/Section';
import { Select } from '@/components/Select';
import { type CountedModel, useInClients } from '@/state/clients/in-clients';
import { usualModel } from '@/state/clients/token-sums';
import { Answered } from '../Answered';
import styles from '../clients.module.css';
import { ListPage } from '../ListPage';
import { type ClientScope, isOfAll } from '../scope';
import { COST, COUNTED_MODELS } from '../texts';
import { useCost } from '../use-cost';
import { CostTable } from './CostTable';
import { costRows } from './cost-rows';
import { Figures } from './FigureTable';
import { ResultMeasure } from './ResultMeasure';
import { Sums } from './Sums';
import { ToolSearch } from './ToolSearch';

/** Sizes of context windows that models have. */
const WINDOWS = [32_000, 128_000, 200_000, 400_000, 1_000_000];

/** The tokens that the tools of servers cost a model, and the limits on what they answer. */
export function CostSection({ scope }: { scope: ClientScope }) {
  const { client, connected } = scope;
  const contextWindow = useInClients((state) => state.contextWindow);
  const model = useInClients((state) => state.models[client.client] ?? usualModel(client.scheme));
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
      <Choices scope={scope} model={model} contextWindow={contextWindow} />
      <p className="flex-none pad-x-5 pad-y-2 remark">{COST.head(client.title)}</p>
      <Answered answer={answer} asking={COST.counting}>
        {(view) => <Counted scope={scope} view={view} />}
      </Answered>
    </ListPage>
  );
}

interface ChoicesProps {
  scope: ClientScope;
  model: CountedModel;
  contextWindow: number;
}

function Choices({ scope: { client }, model, contextWindow }: ChoicesProps) {
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

function Counted({ scope, view }: { scope: ClientScope; view: TokenTableView }) {
  const rows = useMemo(() => costRows(view), [view]);
  return (
    <>
      <Figures view={view} />
      <CostTable rows={rows} isOfAll={isOfAll(scope)} isExact={view.precision === 'exact'} />
    </>
  );
}
