import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type {
  LatencyBucket,
  LatencySummary,
  LoadOptions,
  LoadPlan,
  LoadReport,
} from '@/backend/bindings';
import { Dialog } from '@/components/Dialog';
import { Facts, Section } from '@/components/Section';
import { TextField } from '@/components/TextField';
import { formatCount, formatDuration } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { useChecks } from '@/state/checks/checks';
import { showError } from '@/state/notices';
import { startServer } from '@/state/servers/connecting';
import { ToolField, useToolNames } from '@/widgets/tool-field/ToolField';
import styles from './checks.module.css';
import { ArgumentsField, type PaneProps, Part, RunForm } from './Part';
import { barText, LOAD, TESTING } from './texts';

/** A run that waits for the user's word. */
interface Wish {
  options: LoadOptions;
  plan: LoadPlan;
}

/** A load run of a server: what to run, how far it is, and what was measured. */
export function LoadPane({ server, judgement }: PaneProps) {
  const backend = useBackend();
  const run = useChecks((state) => state.load[server.id]);
  const names = useToolNames(server);
  const [tool, setTool] = useState('');
  const [given, setGiven] = useState('{}');
  const [rate, setRate] = useState('10');
  const [clients, setClients] = useState('1');
  const [seconds, setSeconds] = useState('10');
  const [wish, setWish] = useState<Wish | null>(null);
  const isWhole = [rate, clients, seconds].every((text) => /^[1-9]\d{0,6}$/.test(text.trim()));
  const canStart = isWhole && tool !== '';
  const start = ({ options, plan }: Wish) => {
    setWish(null);
    startServer(server.id, () =>
      backend.startLoad(server.id, {
        ...options,
        // What was shown is what is allowed.
        allowedHost: plan.host,
        allowsEffects: true,
      }),
    );
  };
  const ask = async () => {
    const options: LoadOptions = {
      tool,
      arguments: given,
      rate: Number(rate),
      clients: Number(clients),
      seconds: Number(seconds),
      era: null,
      allowedHost: null,
      allowsEffects: false,
    };
    try {
      const plan = await backend.getLoadPlan(server.id, options);
      const isHarmless = plan.host === null && !plan.mayHaveEffects;
      if (isHarmless) startServer(server.id, () => backend.startLoad(server.id, options));
      else setWish({ options, plan });
    } catch (reason) {
      showError(reason);
    }
  };
  return (
    <>
      <Part part="load" judgement={judgement}>
        <p className={styles.meaning}>{LOAD.meaning}</p>
        <RunForm
          isRunning={run?.isRunning ?? false}
          isReady={canStart}
          start={LOAD.run}
          onStart={() => void ask()}
          onStop={() => void backend.stopLoad(server.id).catch(showError)}
        >
          <ToolField label={TESTING.tool} names={names} value={tool} onChange={setTool} />
          <ArgumentsField value={given} onChange={setGiven} />
          <TextField label={LOAD.rate} inputMode="numeric" value={rate} onChange={setRate} />
          <TextField
            label={LOAD.clients}
            description={LOAD.clientsMeaning}
            inputMode="numeric"
            value={clients}
            onChange={setClients}
          />
          <TextField
            label={LOAD.seconds}
            inputMode="numeric"
            value={seconds}
            onChange={setSeconds}
          />
        </RunForm>
      </Part>
      {run?.isRunning && run.progress && (
        <progress
          className={styles.progress}
          aria-label={LOAD.progress}
          value={run.progress.ended}
          max={run.progress.total}
        />
      )}
      {run?.report && <LoadResult report={run.report} />}
      {wish && <ConfirmDialog wish={wish} onClose={() => setWish(null)} onStart={start} />}
    </>
  );
}

interface ConfirmDialogProps {
  wish: Wish;
  onClose(): void;
  onStart(wish: Wish): void;
}

/** Asks before calls leave this machine, or go to a tool that may change something. */
function ConfirmDialog({ wish, onClose, onStart }: ConfirmDialogProps) {
  const { options, plan } = wish;
  return (
    <Dialog
      title={LOAD.confirm}
      isOpen
      onClose={onClose}
      action={{ label: LOAD.start(plan.total), isDangerous: true, run: () => onStart(wish) }}
    >
      <div className="grid gap-4">
        {plan.host !== null && <p>{visibleText(LOAD.toHost(plan))}</p>}
        {plan.mayHaveEffects && <p>{visibleText(LOAD.effects(options.tool, plan.total))}</p>}
      </div>
    </Dialog>
  );
}

/** The figures of a load run that has ended. */
function LoadResult({ report }: { report: LoadReport }) {
  return (
    <>
      <Section title={LOAD.result}>
        <Facts
          facts={[
            [LOAD.succeeded, formatCount(report.succeeded)],
            [LOAD.failed, formatCount(report.failed)],
            [
              LOAD.notSent,
              report.notSent > 0 && `${formatCount(report.notSent)}. ${LOAD.notSentMeaning}`,
            ],
            [LOAD.throughput, report.throughput.toFixed(1)],
            [LOAD.took, formatDuration(report.duration)],
          ]}
        />
      </Section>
      <Section title={LOAD.latency}>
        <table className={styles.table} aria-label={LOAD.latency}>
          <thead>
            <tr>
              <th scope="col">{LOAD.since}</th>
              {LOAD.percentiles.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Percentiles name={LOAD.response} summary={report.response} />
            <Percentiles name={LOAD.service} summary={report.service} />
          </tbody>
        </table>
        <Histogram buckets={report.histogram} />
      </Section>
      {report.errors.length > 0 && (
        <Section title={LOAD.errors}>
          <ul className="plain-list m-0" aria-label={LOAD.errors}>
            {report.errors.map(({ kind, count, example }) => (
              <li key={kind}>
                <strong>{formatCount(count)}</strong> {visibleText(kind)}
                {example !== null && <pre className={styles.example}>{visibleLines(example)}</pre>}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Percentiles({ name, summary }: { name: string; summary: LatencySummary }) {
  const { p50, p90, p99, max } = summary;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{formatDuration(p50)}</td>
      <td>{formatDuration(p90)}</td>
      <td>{formatDuration(p99)}</td>
      <td>{formatDuration(max)}</td>
    </tr>
  );
}

/** Response times, a row for each range with a bar as long as its calls are many. */
function Histogram({ buckets }: { buckets: readonly LatencyBucket[] }) {
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  if (buckets.length === 0) return null;
  return (
    <table className={styles.histogram} aria-label={LOAD.histogram}>
      <thead>
        <tr>
          <th scope="col">{LOAD.range}</th>
          <th scope="col">{LOAD.count}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {buckets.map(({ from, to, count }) => (
          <tr key={from}>
            <th scope="row">
              {formatDuration(from)} – {formatDuration(to)}
            </th>
            <td>{formatCount(count)}</td>
            <td
              className={styles.barCell}
              title={barText(formatDuration(from), formatDuration(to), count)}
            >
              <svg className={styles.barDrawing} aria-hidden="true">
                <rect
                  className={styles.histogramBar}
                  width={`${(count / most) * 100}%`}
                  height="100%"
                />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
