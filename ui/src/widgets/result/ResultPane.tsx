import {
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useBackend } from '@/backend/backend';
import type { CallReport, CommandError, FrameId, SchemaCheck, ServerId } from '@/backend/bindings';
import type { MenuEntry } from '@/components/Menu';
import { Segmented } from '@/components/Segmented';
import { showWhole } from '@/components/show-whole';
import { useAsyncEffect } from '@/components/use-async-effect';
import { formatDuration } from '@/lib/format';
import { lazyComponent } from '@/lib/lazy-component';
import { fileName } from '@/lib/mime';
import { useAction } from '@/state/actions';
import { useQuestionOf } from '@/state/calls/questions';
import { isRunning, questionCallOf, type Run } from '@/state/calls/runs';
import type { AnsweredCall } from '@/state/tests/save-request';
import { LineView } from '@/widgets/line-view/LineView';
import { WrapToggle } from '@/widgets/line-view/WrapToggle';
import { AnsweredByRule } from '@/widgets/questions/AnsweredByRule';
import { useSave } from './Block';
import { AnsweredCallContext } from './expect';
import { outcomeOf } from './outcome';
import { ResultBody } from './ResultBody';
import { ResultMenu, type ResultView } from './ResultMenu';
import { ResultSearch, searchedPart } from './ResultSearch';
import { RunningLine } from './RunButtons';
import styles from './result.module.css';
import { CHECK, MESSAGE, RESULT } from './texts';

/** Loaded once a server asks something: its forms are large. */
const QuestionPane = lazyComponent(() => import('@/widgets/questions/QuestionPane'), 'default');

interface ResultPaneProps {
  run: Run | undefined;
  server: ServerId;
  /** The name of the item that was run, for a saved file. */
  name: string;
  /** The identity with which it was run, where two are compared. */
  identity?: string;
  /** More that can be copied. */
  copies?: readonly MenuEntry[];
  /** The menu of earlier runs. */
  runs?: ReactNode;
  /** Stands above the outcome. */
  note?: ReactNode;
  /** Sends the same request again. */
  again?: (() => void) | undefined;
  /** The call that was made: its answer can be expected by a test. */
  call?: AnsweredCall | null;
  /** Shown before the first run. */
  children: ReactNode;
}

/**
 * The outcome of a call, a read or a prompt, in three views. Drawn after what else a run changes,
 * and in pieces, so that the window answers meanwhile. That goes for all that it is given: with a
 * new menu or note it would be drawn at once, as it was, and then again.
 */
export function ResultPane(props: ResultPaneProps) {
  const { run } = props;
  const frame = useRef<HTMLElement>(null);
  const running = run && isRunning(run) ? run.key : null;
  // Where the panes stand below each other, what comes of a run is seen without looking for it.
  useEffect(() => {
    return running !== null && frame.current ? showWhole(frame.current) : undefined;
  }, [running]);
  return <Pane frameRef={frame} {...useDeferredValue(props)} />;
}

interface PaneProps extends ResultPaneProps {
  frameRef: RefObject<HTMLElement | null>;
}

const Pane = memo(function Pane(props: PaneProps) {
  const { frameRef, run, server, name, identity, copies, runs, note, again } = props;
  const { call = null, children } = props;
  const [tab, setTab] = useState<ResultView>('result');
  const report = run?.report;
  const isPassing = report?.result?.isError === false && run?.isPast !== true;
  const passedBy = isPassing ? report.request : undefined;
  const answered = useMemo(() => call && { ...call, passedBy }, [call, passedBy]);
  const frame = report?.request.responseFrame ?? null;
  const save = useSave(frame);
  const [searches, setSearches] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const searched = report ? searchedPart(tab, report) : null;
  const isSearched = searches && searched !== null;
  // Elsewhere the shortcut filters the list.
  useAction('filter.focus', () => setSearches(true), {
    within: frameRef,
    when: hasFocus && searched !== null,
  });
  const expect = () => frameRef.current?.querySelector<HTMLElement>('[data-menu]')?.click();
  useAction('result.expect', expect, { within: frameRef, when: !!report && answered !== null });
  return (
    <section
      ref={frameRef}
      tabIndex={-1}
      data-result={run ? 'run' : ''}
      onFocus={() => setHasFocus(true)}
      onBlur={({ currentTarget, relatedTarget }) =>
        setHasFocus(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))
      }
      className={styles.pane}
      aria-label={RESULT.label(identity)}
    >
      {identity !== undefined && (
        <p className={styles.identity} dir="auto">
          {identity}
        </p>
      )}
      <div className={styles.bar}>
        {run && (
          <ResultMenu
            frameRef={frameRef}
            report={report}
            view={tab}
            onView={setTab}
            onSearch={searched === null ? undefined : () => setSearches(!searches)}
            copies={copies}
            onSave={() =>
              save(report?.error ? '/error' : '/result', fileName(name, 'application/json'))
            }
            call={answered}
          />
        )}
        {runs && <span className="flex push">{runs}</span>}
      </div>
      {note}
      {isRunning(run) && run && <RunningLine server={server} run={run} />}
      {report && <StatusLine report={report} isOfTask={run?.task !== undefined} />}
      {report?.result?.clientLimits && (
        <p role="note" className={styles.limits}>
          <span aria-hidden="true">▲ </span>
          {report.result.clientLimits}
        </p>
      )}
      {report?.result?.clientImages && (
        <p role="note" className={styles.images}>
          {report.result.clientImages}
        </p>
      )}
      {run && !run.isPast && (
        <AnsweredByRule server={server} call={questionCallOf(run)} began={run.startedAt} />
      )}
      <div className="fill">
        {run?.failure && <CommandFailure failure={run.failure} />}
        {isSearched && (
          <ResultSearch
            key={`${searched.frame} ${searched.pointer} ${searched.form}`}
            query={searched}
            onClose={() => {
              setSearches(false);
              frameRef.current?.focus();
            }}
          />
        )}
        {run && report && !isSearched && tab === 'result' && (
          <AnsweredCallContext value={run.task === undefined ? answered : null}>
            <ResultBody key={run.key} report={report} server={server} run={run} again={again} />
          </AnsweredCallContext>
        )}
        {report && !isSearched && tab === 'raw' && <Message frame={frame} what="response" />}
        {report && !isSearched && tab === 'request' && (
          <Message frame={report.request.requestFrame} what="request" />
        )}
        {isRunning(run) && run && <Question server={server} run={run} heir={frameRef} />}
        {run === undefined && children}
      </div>
    </section>
  );
});

interface QuestionProps {
  server: ServerId;
  run: Run;
  heir: RefObject<HTMLElement | null>;
}

/** The question that the call waits for. */
function Question({ server, run, heir }: QuestionProps) {
  const question = useQuestionOf(server, questionCallOf(run));
  if (!question) return null;
  return (
    <Suspense>
      <QuestionPane key={question.id} question={question} began={run.startedAt} heir={heir} />
    </Suspense>
  );
}

interface StatusLineProps {
  report: CallReport;
  /** The result of a task came with a request of its own. */
  isOfTask: boolean;
}

function StatusLine({ report, isOfTask }: StatusLineProps) {
  const { tone, glyph, title } = outcomeOf(report);
  const check = report.result?.schemaCheck;
  return (
    <div className={styles.status} role="status">
      <span className={tone} aria-hidden>
        {glyph}
      </span>
      <p>{title}</p>
      {!isOfTask && <WireTime report={report} />}
      {check && (
        <p className={`push ${check.notChecked !== null ? 'warn' : check.valid ? 'ok' : 'bad'}`}>
          {checkText(check)}
        </p>
      )}
    </div>
  );
}

/** Milliseconds after which it is read: a call that follows at once is not held up. */
const WIRE_DELAY = 150;

/** Time from the request to the response as the traffic has it, where that is notably less. */
function WireTime({ report: { request } }: { report: CallReport }) {
  const backend = useBackend();
  const [wire, setWire] = useState<number>();
  const { requestFrame: frame, responseFrame: answer, duration, waited } = request;
  useAsyncEffect(() => {
    setWire(undefined);
    // What took several rounds has several rows.
    if (frame === null || answer === null || waited > 0) return null;
    return {
      // A row has the number of its first frame.
      start: () => backend.getTrafficDetail(frame),
      onValue: ({ row }) => setWire(row.duration ?? undefined),
      delay: WIRE_DELAY,
    };
  }, [backend, frame, answer, waited]);
  const text = wire === undefined ? '' : formatDuration(wire);
  if (text === '' || text === formatDuration(duration)) return null;
  return (
    <span className="figures" title={RESULT.wireMeaning}>
      {RESULT.wire(text)}
    </span>
  );
}

function checkText({ valid, problems, notChecked }: SchemaCheck): string {
  if (notChecked !== null) return CHECK.notChecked(notChecked);
  return valid ? CHECK.valid : CHECK.violations(problems.length);
}

function CommandFailure({ failure }: { failure: CommandError }) {
  return (
    <div className={styles.scroll} role="alert">
      <p className="mb-5 pre-wrap code-lines bad" dir="auto">
        ✕ {failure.message}
      </p>
      {failure.hint && <p className="text-data faint">{failure.hint}</p>}
    </div>
  );
}

const FORMS = [
  { value: 'pretty', label: MESSAGE.indented },
  { value: 'raw', label: MESSAGE.asSent },
] as const;

/** A whole message, indented for reading or exactly as it crossed the wire. */
function Message({ frame, what }: { frame: FrameId | null; what: string }) {
  const [form, setForm] = useState<'pretty' | 'raw'>('pretty');
  if (frame === null) {
    return <p className="pad-x-7 pad-y-3 text-data faint">{MESSAGE.notOnRecord(what)}</p>;
  }
  return (
    <div className={styles.single}>
      <div className={styles.blockHead}>
        <span className="faint">{MESSAGE.whole(what)}</span>
        <span className={styles.blockActions}>
          <Segmented
            label={MESSAGE.form(what)}
            segments={FORMS}
            value={form}
            onChange={setForm}
            className={styles.small ?? ''}
          />
          <WrapToggle />
        </span>
      </div>
      <div className={styles.fills}>
        <LineView query={{ frame, pointer: '', form }} label={MESSAGE.label(what)} />
      </div>
    </div>
  );
}
