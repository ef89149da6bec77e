import { X } from 'lucide-react';
import { useState } from 'react';
import { type Backend, useBackend } from '@/backend/backend';
import { Button, IconButton } from '@/components/Button';
import { Select } from '@/components/Select';
import { useAsyncEffect } from '@/components/use-async-effect';
import {
  type Difference,
  type Differences,
  differencesOf,
  whereTextsDiffer,
} from '@/lib/json/difference';
import { type ExactValue, parseExact, stringifyExact } from '@/lib/json/exact';
import { visibleText } from '@/lib/visible-text';
import { isRunning, type Run, useRuns, useShownRun } from '@/state/calls/runs';
import { showView } from './result-views';
import { runLine, timeOf } from './run-line';
import { RUNS } from './texts';
import styles from './tools.module.css';

interface Props {
  runId: string;
  first: string;
  second: string;
}

/** The differences between two runs: of their arguments, and of what came back. */
export function RunDifference({ runId, first, second }: Props) {
  const runs = useRuns(runId);
  const one = runs.find(({ key }) => key === first);
  const other = runs.find(({ key }) => key === second);
  const choices = [...runs]
    .reverse()
    .filter((run) => !isRunning(run))
    .map((run) => ({ value: run.key, label: runLine(run) }));
  return (
    <section className="pane" aria-label={RUNS.compared}>
      <div className={styles.comparedRuns}>
        <Select
          label={RUNS.first}
          hideLabel
          choices={choices}
          value={first}
          onChange={(key) => showView(runId, { pair: { first: key, second } })}
        />
        <span aria-hidden="true">→</span>
        <Select
          label={RUNS.second}
          hideLabel
          choices={choices}
          value={second}
          onChange={(key) => showView(runId, { pair: { first, second: key } })}
        />
        <IconButton label={RUNS.close} onPress={() => showView(runId, { pair: undefined })}>
          <X size={13} aria-hidden="true" />
        </IconButton>
      </div>
      {one && other && <Both one={one} other={other} />}
    </section>
  );
}

/** Texts of both messages that are compared. */
interface Compared {
  input: Differences;
  output: Differences;
}

/** Says how the outcome of a run differs from the one that it is compared with. */
export function DifferenceNote({ runId }: { runId: string }) {
  const runs = useRuns(runId);
  const run = useShownRun(runId);
  const before = runs.find(({ key }) => key === run?.comparedWith);
  const compared = useCompared(before, isRunning(run) ? undefined : run);
  if (!before || !run || compared === undefined || compared === 'gone') return null;
  const { differences } = compared.output;
  const time = timeOf(before);
  return (
    <>
      <div role="status" className={styles.earlier}>
        {differences.length === 0 ? (
          <p>
            <span className="ok">✓</span> {RUNS.sameAs(time)}
          </p>
        ) : (
          <p>{RUNS.differsFrom(differences.length, time)}</p>
        )}
        <Button
          variant="quiet"
          onPress={() => showView(runId, { pair: { first: before.key, second: run.key } })}
        >
          {RUNS.showBoth}
        </Button>
      </div>
      {differences.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable.
        <section className={styles.differenceNote} aria-label={RUNS.differences} tabIndex={0}>
          <Rows title={RUNS.result} differences={differences} />
        </section>
      )}
    </>
  );
}

/** Compares two runs that ended; undefined until that is done. */
export function useCompared(one: Run | undefined, other: Run | undefined) {
  const backend = useBackend();
  const [compared, setCompared] = useState<Compared | 'gone'>();
  useAsyncEffect(() => {
    setCompared(undefined);
    if (!one || !other) return null;
    return {
      start: async () => {
        const [before, after] = await Promise.all([outcome(backend, one), outcome(backend, other)]);
        return {
          input: differencesOf(parseExact(one.input ?? '{}'), parseExact(other.input ?? '{}')),
          output: differencesOf(before, after),
        };
      },
      onValue: setCompared,
      onError: () => setCompared('gone'),
    };
  }, [backend, one, other]);
  return compared;
}

function Both({ one, other }: { one: Run; other: Run }) {
  const compared = useCompared(one, other);
  if (compared === undefined) return null;
  if (compared === 'gone') return <p className="pad-x-7 pad-y-5 remark">▲ {RUNS.gone}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable.
    <section className={styles.differences} aria-label={RUNS.differences} tabIndex={0}>
      <DifferenceList title={RUNS.arguments} compared={compared.input} />
      <DifferenceList title={RUNS.result} compared={compared.output} />
    </section>
  );
}

/** Returns what came of a run as a value: its result, its error, or the reason of its end. */
async function outcome(backend: Backend, { report, failure }: Run): Promise<ExactValue> {
  if (!report) return { failure: failure?.message ?? '' };
  const { request, error } = report;
  if (request.responseFrame === null) return { end: request.end, message: request.message };
  const name = error ? 'error' : 'result';
  const text = await backend.getPayloadText({
    frame: request.responseFrame,
    pointer: `/${name}`,
    form: 'raw',
  });
  return { [name]: parseExact(text) };
}

function DifferenceList({ title, compared }: { title: string; compared: Differences }) {
  const { differences, isCut } = compared;
  return (
    <>
      <h3>
        {title}{' '}
        {differences.length > 0 && (
          <span className="figures regular remark">{differences.length}</span>
        )}
      </h3>
      {differences.length === 0 ? (
        <p className="faint">✓ {RUNS.same}</p>
      ) : (
        <Rows title={title} differences={differences} />
      )}
      {isCut && <p className="faint">{RUNS.cut}</p>}
    </>
  );
}

function Rows({ title, differences }: { title: string; differences: readonly Difference[] }) {
  return (
    <ul className={styles.differenceList} aria-label={RUNS.differencesOf(title)}>
      {differences.map((difference) => (
        <DifferenceRow key={`${difference.kind} ${difference.pointer}`} difference={difference} />
      ))}
    </ul>
  );
}

const GLYPHS = { added: '+', removed: '−', changed: '~' } as const;

function DifferenceRow({
  difference: { kind, pointer, before, after },
}: {
  difference: Difference;
}) {
  const [one, other] =
    before === undefined || after === undefined
      ? [before, after].map((value) => (value === undefined ? '' : short(written(value))))
      : whereTextsDiffer(written(before), written(after)).map(short);
  return (
    <li data-kind={kind}>
      <span className={styles.differenceKind}>
        <span aria-hidden="true">{GLYPHS[kind]}</span> {RUNS[kind]}
      </span>
      <code className="break-anywhere selectable">{visibleText(pointer) || RUNS.whole}</code>
      <span className={styles.values}>
        {before !== undefined && <del>{visibleText(one ?? '')}</del>}
        {after !== undefined && <ins>{visibleText(other ?? '')}</ins>}
      </span>
    </li>
  );
}

/** Characters of a value that are shown. */
const MAX_VALUE_LENGTH = 300;

const written = (value: ExactValue) => stringifyExact(value, 0);
const short = (text: string) =>
  text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
