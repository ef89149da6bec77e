import { useEffect, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type {
  ServerView,
  SignInView,
  StepExchange,
  StepKind,
  StepState,
  StepView,
} from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { InlineCode } from '@/components/InlineCode';
import { Pairs } from '@/components/pairs/Pairs';
import { showWhole } from '@/components/show-whole';
import { Tabs } from '@/components/Tabs';
import { copyText } from '@/lib/clipboard';
import { formatDuration } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { canRun, runAction } from '@/state/actions';
import { showTraffic } from '@/state/navigation';
import { showError, showNote } from '@/state/notices';
import { useAuth } from '@/state/sign-in/auth';
import { ClauseLink } from '@/widgets/findings/FindingList';
import { ACTIONS, STEP_TITLES } from './account-texts';
import styles from './auth.module.css';
import { Checks } from './Checks';
import { DraftEditor } from './DraftEditor';
import { Exchanges } from './Exchanges';
import { HttpMessage } from './HttpMessage';
import { addressParameters } from './http-text';
import messagesStyles from './messages.module.css';
import stepsStyles from './steps.module.css';
import { STEP, STEP_LABELS, STEP_PURPOSES } from './texts';
import { usePauses } from './use-pauses';

interface Props {
  server: ServerView;
  attempt: SignInView | null;
  step: StepView;
}

type Panel = 'happened' | 'request' | 'response';

const CLASS_NAMES = {
  tabs: 'stack fill',
  tabList: 'flex gap-1 flex-none pad-x-3 pad-y-0 edge-bottom',
  tab: stepsStyles.tab,
  panel: 'stack fill',
};

/** The title of the first tab, where nothing has happened yet. */
const HAPPENED: Partial<Record<StepState, string>> = {
  pending: STEP.happens,
  paused: STEP.next,
};

/** One step: what was expected, what came, and the messages themselves. */
export function StepDetail({ server, attempt, step }: Props) {
  const [chosen, setChosen] = useState<Panel>('happened');
  const [selected, setSelected] = useState<number | null>(null);
  const exchange = exchangeToShow(step, selected);
  const panels: { id: Panel; title: string }[] = [
    { id: 'happened', title: HAPPENED[step.state] ?? STEP.happened },
    ...(exchange
      ? ([
          { id: 'request', title: STEP.request },
          { id: 'response', title: STEP.response },
        ] as const)
      : []),
  ];
  const panel = panels.some(({ id }) => id === chosen) ? chosen : 'happened';
  return (
    <section className={styles.pane} aria-label={STEP_TITLES[step.step]}>
      <div className={styles.bar}>
        <Heading step={step} />
        <span className="push">
          <Restart server={server} attempt={attempt} step={step} />
        </span>
      </div>
      <Tabs
        label={STEP.label}
        tabs={panels}
        selected={panel}
        onSelect={setChosen}
        isPanelFocusable={panel === 'happened'}
        classNames={CLASS_NAMES}
      >
        {panel === 'happened' && (
          <Happened
            server={server}
            attempt={attempt}
            step={step}
            shown={exchange?.exchange ?? null}
            onSelect={setSelected}
            onOpen={(id) => {
              setSelected(id);
              setChosen('response');
            }}
          />
        )}
        {panel !== 'happened' && exchange && <Message exchange={exchange} side={panel} />}
      </Tabs>
    </section>
  );
}

/** The request that the user chose, else the one that was used, else the last. */
function exchangeToShow(step: StepView, selected: number | null): StepExchange | undefined {
  return (
    step.exchanges.find(({ exchange }) => exchange === selected) ??
    step.exchanges.find(({ chosen }) => chosen) ??
    step.exchanges.at(-1)
  );
}

function Heading({ step }: { step: StepView }) {
  const { glyph, tone, label } = STEP_LABELS[step.state];
  return (
    <>
      <h2 className="ellipsis">{STEP_TITLES[step.step]}</h2>
      <span className={stepsStyles.headingState}>
        <Glyph glyph={glyph} tone={tone} /> {label}
        {step.duration !== null && (
          <span className="code remark"> {formatDuration(step.duration)}</span>
        )}
      </span>
    </>
  );
}

function Restart({ server, attempt, step }: Props) {
  const backend = useBackend();
  const [pauses] = usePauses(server);
  if (attempt === null || step.state === 'pending') return null;
  return (
    <Button
      variant="quiet"
      onPress={() => void backend.restartSignIn(server.id, step.step, [...pauses]).catch(showError)}
    >
      {STEP.restart}
    </Button>
  );
}

/** The setting that can mend a failed step. */
const REMEDIES: Partial<Record<StepKind, string>> = {
  resourceMetadata: STEP.addresses,
  serverMetadata: STEP.addresses,
  registration: STEP.clientId,
};

interface HappenedProps extends Props {
  shown: number | null;
  onSelect(exchange: number): void;
  onOpen(exchange: number): void;
}

function Happened({ server, attempt, step, shown, onSelect, onOpen }: HappenedProps) {
  const failure = attempt?.failure?.step === step.step ? attempt.failure : null;
  const remedy = REMEDIES[step.step];
  const isSearch = step.step === 'resourceMetadata' || step.step === 'serverMetadata';
  const told = useRef<HTMLDivElement>(null);
  const failed = failure && attempt?.id;
  // In a low window the reason stands below the list.
  useEffect(() => {
    return failed !== null && told.current ? showWhole(told.current) : undefined;
  }, [failed]);
  return (
    <div className="fill h-full scroll">
      {failure && (
        <div ref={told} className={stepsStyles.failure} role="alert">
          <p>
            {visibleLines(failure.message)}{' '}
            {failure.clause && <ClauseLink clause={failure.clause} />}
          </p>
          <p className="regular remark">
            <InlineCode text={visibleLines(failure.hint)} />
          </p>
          {failure.wantsToken ? (
            <div>
              <Button variant="primary" onPress={() => useAuth.getState().enterToken(server.id)}>
                {ACTIONS.pasteToken}
              </Button>
            </div>
          ) : (
            remedy && (
              <div>
                <Button onPress={() => useAuth.getState().selectPage(server.id, 'client')}>
                  {remedy}
                </Button>
              </div>
            )
          )}
        </div>
      )}
      {!failure && (
        <p className={styles.lead}>{visibleText(step.summary ?? STEP_PURPOSES[step.step])}</p>
      )}
      {step.draft && <DraftEditor server={server} draft={step.draft} />}
      {attempt === null && canRun('auth.steps') && <Begin />}
      {step.step === 'authorization' && attempt?.address && <Address address={attempt.address} />}
      {step.exchanges.length > 0 && (
        <div className={stepsStyles.block}>
          <h3>{isSearch ? STEP.tried : STEP.requests}</h3>
          <Exchanges
            label={isSearch ? STEP.tried : STEP.requests}
            exchanges={step.exchanges}
            shown={shown}
            onSelect={onSelect}
            onOpen={onOpen}
          />
        </div>
      )}
      {step.checks.length > 0 && (
        <div className={stepsStyles.block}>
          <h3>{STEP.checks}</h3>
          <Checks checks={step.checks} />
        </div>
      )}
    </div>
  );
}

/** The way to begin, before there was any sign-in. */
function Begin() {
  return (
    <div className={stepsStyles.begin}>
      <p className="regular remark">{STEP.none}</p>
      <Button onPress={() => runAction('auth.steps')}>{ACTIONS.stepByStep}</Button>
    </div>
  );
}

/** The page that the browser is sent to, with its parameters decoded. */
function Address({ address }: { address: string }) {
  const [page] = address.split('?');
  return (
    <div className={stepsStyles.block}>
      <h3>{STEP.opened}</h3>
      <p className={messagesStyles.start}>{visibleText(page ?? '')}</p>
      <Pairs label={STEP.parameters} pairs={addressParameters(address)} />
    </div>
  );
}

function Message({ exchange, side }: { exchange: StepExchange; side: 'request' | 'response' }) {
  const backend = useBackend();
  const text = side === 'request' ? exchange.request : exchange.response;
  const copyCurl = () => {
    const curl = backend.copyExchange(exchange.exchange, 'curl');
    copyText(curl).then(() => showNote(STEP.copiedCurl), showError);
  };
  return (
    <>
      <div className={messagesStyles.messageBar}>
        <span className={messagesStyles.messageTitle}>
          {visibleText(`${exchange.method} ${exchange.url}`)}
        </span>
        <Button variant="quiet" onPress={copyCurl}>
          {STEP.copyCurl}
        </Button>
        <Button variant="quiet" onPress={() => showTraffic(`id:${exchange.exchange}`)}>
          {STEP.showTraffic}
        </Button>
      </div>
      {text === null ? (
        <p className={styles.lead}>{STEP.noAnswer}</p>
      ) : (
        <HttpMessage text={text} label={side === 'request' ? STEP.request : STEP.response} />
      )}
    </>
  );
}
