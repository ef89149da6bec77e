import { useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { TokenCostView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { Section } from '@/components/Section';
import { Select } from '@/components/Select';
import { visibleText } from '@/lib/visible-text';
import { type CountedModel, useInClients } from '@/state/clients/in-clients';
import { usualModel } from '@/state/clients/token-sums';
import { Connected } from '../Connected';
import styles from '../clients.module.css';
import { type ClientScope, isOfAll } from '../scope';
import { COST, COUNTED_MODELS } from '../texts';
import { useAnswer } from '../use-answer';
import { CostTable } from './CostTable';
import { costRows } from './cost-rows';
import { Figures } from './Figures';
import { ResultMeasure } from './ResultMeasure';
import { Sums } from './Sums';
import { ToolSearch } from './ToolSearch';

const PANES = [
  { id: 'cost', min: 320 },
  { id: 'limits', size: 340, min: 240, keepsPixels: true },
] as const;

/** Sizes of context windows that models have. */
const WINDOWS = [32_000, 128_000, 200_000, 400_000, 1_000_000];

/** The tokens that the tools of servers cost a model, and the limits on what they answer. */
export function CostSection({ scope }: { scope: ClientScope }) {
  return (
    <Connected scope={scope}>
      <Cost scope={scope} />
    </Connected>
  );
}

function Cost({ scope }: { scope: ClientScope }) {
  const backend = useBackend();
  const { client, connected, revision } = scope;
  const contextWindow = useInClients((state) => state.contextWindow);
  const model = useInClients((state) => state.models[client.client] ?? usualModel(client.scheme));
  const [setting, setSetting] = useState('environment');
  const { value, problem } = useAnswer(
    () =>
      backend.getTokenCost({
        servers: [...connected],
        scheme: client.scheme,
        model,
        window: contextWindow,
        toolSearch: setting === 'environment' ? null : setting,
        withUnsent: false,
      }),
    [backend, revision, client.scheme, model, contextWindow, setting],
  );
  return (
    <ListDetail name="model-cost" panes={PANES}>
      <div className="pane">
        <Choices scope={scope} model={model} contextWindow={contextWindow} />
        <p className="flex-none pad-x-5 pad-y-2 remark">{COST.head(client.title)}</p>
        {problem !== null ? (
          <EmptyState title={visibleText(problem)} />
        ) : value ? (
          <Counted scope={scope} view={value} />
        ) : (
          <EmptyState title={COST.counting} />
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div className={styles.side} tabIndex={0}>
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
      </div>
    </ListDetail>
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

function Counted({ scope, view }: { scope: ClientScope; view: TokenCostView }) {
  const rows = useMemo(() => costRows(view), [view]);
  return (
    <>
      <Figures view={view} />
      <CostTable rows={rows} isOfAll={isOfAll(scope)} isExact={view.precision === 'exact'} />
    </>
  );
}
