import { useEffect, useRef, useState } from 'react';
import { type Backend, useBackend } from '@/backend/backend';
import type {
  RecordedServer,
  ReplayOutcome,
  ReplayStep,
  ReplayView,
  ServerId,
  SessionId,
  SessionView,
} from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { Checkbox } from '@/components/Checkbox';
import { Confirmed } from '@/components/Confirmed';
import { Dialog } from '@/components/Dialog';
import { Glyph } from '@/components/Glyph';
import { Select } from '@/components/Select';
import { UnifiedDiff } from '@/components/UnifiedDiff';
import { entirelyVisible, visibleText } from '@/lib/visible-text';
import { useClose } from '@/state/dialogs';
import { recordedServers, useSessions } from '@/state/record/sessions';
import { useLiveServers } from '@/state/servers/servers';
import styles from './sessions.module.css';
import { REPLAY } from './texts';

/** Requests that are drawn. */
const MAX_SHOWN = 500;

/** Sends recorded requests to a connected server, and shows which answers are others. */
export function ReplayDialog({ session: id }: { session: SessionId }) {
  const session = useSessions((state) => state.sessions.find((session) => session.id === id));
  return session && <Replay session={session} />;
}

function Replay({ session }: { session: SessionView }) {
  const close = useClose();
  const servers = useLiveServers();
  const own = recordedServers([session]);
  const [ownValue, setOwnValue] = useState(own[0]?.value);
  const recorded = own.find(({ value }) => value === ownValue) ?? own[0];
  const [serverId, setServerId] = useState<string | null>(null);
  const server = servers.find(({ id }) => id === serverId) ?? servers[0];
  const backend = useBackend();
  const replay = useReplay(backend, recorded?.recording ?? null, server?.id ?? null);
  const [asksAbout, setAsksAbout] = useState<readonly ReplayStep[]>([]);
  const { list, run, steps, chosen, isRunning } = replay;
  // Another choice has other requests.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is what changed
  useEffect(() => setAsksAbout([]), [list]);

  const send = () => {
    const risky = steps.filter(({ index, mayChange }) => mayChange && chosen.has(index));
    if (risky.length > 0) setAsksAbout(risky);
    else void run(true);
  };
  const isAsked = asksAbout.length > 0;
  // All that is agreed to is drawn, whatever the number.
  const drawn = steps.filter(({ index }, at) => at < MAX_SHOWN || (isAsked && chosen.has(index)));
  const choose = (indexes: readonly number[]) => {
    // The question was about others.
    setAsksAbout([]);
    replay.choose(indexes);
  };
  const answer = (sendsAll: boolean) => {
    setAsksAbout([]);
    void run(sendsAll);
  };

  return (
    <Dialog
      title={REPLAY.title(visibleText(session.name))}
      isOpen
      width="wide"
      onClose={close}
      closeLabel={REPLAY.close}
      more={isRunning && <Button onPress={replay.stop}>{REPLAY.stop}</Button>}
      action={
        isRunning
          ? undefined
          : {
              label: REPLAY.send(chosen.size),
              isDisabled: chosen.size === 0 || isAsked,
              run: send,
            }
      }
    >
      <div className="stack gap-5">
        <p className="text-data remark">{REPLAY.meaning}</p>
        {server === undefined ? (
          <p className="text-data remark">{REPLAY.noServer}</p>
        ) : (
          <div className={styles.sides}>
            {own.length > 1 && (
              <Select
                label={REPLAY.recorded}
                choices={own}
                value={recorded?.value ?? null}
                isDisabled={isRunning}
                onChange={setOwnValue}
              />
            )}
            <Select
              label={REPLAY.server}
              choices={servers.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
              value={server.id}
              isDisabled={isRunning}
              onChange={setServerId}
            />
          </div>
        )}
        {replay.problem !== null && <Banner tone="bad">{visibleText(replay.problem)}</Banner>}
        {isAsked && (
          <Banner
            tone="warn"
            actions={
              <>
                <Button onPress={() => answer(false)}>{REPLAY.leaveOut}</Button>
                <Button onPress={() => answer(true)}>{REPLAY.sendAll}</Button>
              </>
            }
          >
            {REPLAY.ask(asksAbout.map(({ name, method }) => entirelyVisible(name ?? method)))}
          </Banner>
        )}
        <Status replay={replay} hasServer={server !== undefined} />
        {steps.length > 0 && (
          <>
            <div className="flex gap-2">
              <Button
                variant="quiet"
                isDisabled={isRunning}
                onPress={() =>
                  choose(steps.filter(({ mayChange }) => !mayChange).map(({ index }) => index))
                }
              >
                {REPLAY.chooseAll}
              </Button>
              <Button variant="quiet" isDisabled={isRunning} onPress={() => choose([])}>
                {REPLAY.chooseNone}
              </Button>
            </div>
            <ul className={styles.findings} aria-label={REPLAY.list}>
              {drawn.map((step) => (
                <Step
                  key={step.index}
                  step={step}
                  outcome={replay.outcomes.get(step.index)}
                  isChosen={chosen.has(step.index)}
                  isDisabled={isRunning}
                  isWhole={isAsked && chosen.has(step.index)}
                  onChoose={(isChosen) =>
                    choose(
                      isChosen
                        ? [...chosen, step.index]
                        : [...chosen].filter((index) => index !== step.index),
                    )
                  }
                />
              ))}
            </ul>
            {steps.length > drawn.length && (
              <p className="text-data remark">{REPLAY.more(steps.length - drawn.length)}</p>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

interface StatusProps {
  replay: ReturnType<typeof useReplay>;
  hasServer: boolean;
}

function Status({ replay, hasServer }: StatusProps) {
  const { list, outcomes, isRunning, chosen } = replay;
  const results = [...outcomes.values()];
  const same = results.filter(({ type: kind }) => kind === 'same').length;
  const bad = results.filter(
    ({ type: kind }) => kind === 'different' || kind === 'unanswered',
  ).length;
  let text = '';
  if (hasServer && list === null && replay.problem === null) text = REPLAY.reading;
  else if (list !== null && list.steps.length === 0) text = REPLAY.none;
  else if (isRunning) text = REPLAY.progress(results.length, chosen.size);
  else if (results.length > 0) text = REPLAY.result(same, bad);
  return (
    <p role="status" className="text-data remark">
      {text}
    </p>
  );
}

interface StepProps {
  step: ReplayStep;
  outcome: ReplayOutcome | undefined;
  isChosen: boolean;
  isDisabled: boolean;
  /** Shows all of what would be sent, since the user is asked about it. */
  isWhole: boolean;
  onChoose(isChosen: boolean): void;
}

function Step({ step, outcome, isChosen, isDisabled, isWhole, onChoose }: StepProps) {
  const marks = [step.mayChange && REPLAY.mayChange, step.isMasked && REPLAY.masked];
  const shownText = isWhole ? entirelyVisible : visibleText;
  const shown = outcome && REPLAY.outcomes[outcome.type];
  return (
    <li className={styles.step}>
      <Checkbox isSelected={isChosen} isDisabled={isDisabled} onChange={onChoose}>
        <span className="mono">
          {shownText(step.method)} {step.name !== null && shownText(step.name)}
        </span>
        <span className={styles.mark}>{marks.filter(Boolean).join(', ')}</span>
      </Checkbox>
      {isWhole ? (
        <Confirmed className={styles.whole} text={step.params} />
      ) : (
        <code className={styles.params} title={visibleText(step.params)}>
          {visibleText(step.params)}
        </code>
      )}
      {shown && (
        <span className={styles.outcome}>
          <Glyph glyph={shown.glyph} tone={shown.tone} /> {shown.label}
        </span>
      )}
      {outcome?.type === 'unanswered' && (
        <p className={styles.reason}>{visibleText(outcome.reason)}</p>
      )}
      {outcome?.type === 'different' && (
        <div className={styles.difference}>
          <UnifiedDiff label={REPLAY.difference(step.index + 1)} text={outcome.difference} />
        </div>
      )}
    </li>
  );
}

/** Lists the requests of a recorded server, and sends those that are chosen, one after another. */
function useReplay(backend: Backend, recorded: RecordedServer | null, server: ServerId | null) {
  const [list, setList] = useState<ReplayView | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, ReplayOutcome>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const stopped = useRef(false);
  const session = recorded?.session ?? null;
  const name = recorded?.name ?? null;

  useEffect(() => {
    setList(null);
    setChosen(new Set());
    setOutcomes(new Map());
    setProblem(null);
    if (session === null || server === null) return undefined;
    let isCurrent = true;
    let listed: ReplayView | null = null;
    const forget = () => listed && void backend.deleteReplay(listed.id).catch(() => undefined);
    backend.listReplay({ session, name }, server).then(
      (view) => {
        listed = view;
        if (!isCurrent) {
          forget();
          return;
        }
        setList(view);
        setChosen(new Set(view.steps.filter((step) => !step.mayChange).map(({ index }) => index)));
      },
      (reason) => isCurrent && setProblem(asCommandError(reason).message),
    );
    return () => {
      isCurrent = false;
      stopped.current = true;
      forget();
    };
  }, [backend, session, name, server]);

  const run = async (isAgreed: boolean) => {
    if (list === null) return;
    stopped.current = false;
    setRunning(true);
    setProblem(null);
    setOutcomes(new Map());
    try {
      for (const { index, mayChange } of list.steps) {
        if (!chosen.has(index)) continue;
        if (stopped.current) break;
        const agreed = isAgreed && mayChange;
        const outcome = await backend.replayStep(list.id, index, agreed);
        setOutcomes((known) => new Map(known).set(index, outcome));
      }
    } catch (reason) {
      setProblem(asCommandError(reason).message);
    } finally {
      setRunning(false);
    }
  };

  return {
    list,
    steps: list?.steps ?? [],
    chosen,
    outcomes,
    isRunning,
    problem,
    choose: (indexes: readonly number[]) => setChosen(new Set(indexes)),
    run,
    stop: () => {
      stopped.current = true;
    },
  };
}
