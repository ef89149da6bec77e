import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { LoadOptions, LoadPlan } from '@/backend/bindings';
import { Dialog } from '@/components/Dialog';
import { TextField } from '@/components/TextField';
import { visibleText } from '@/lib/visible-text';
import { useChecks } from '@/state/checks/checks';
import { showError } from '@/state/notices';
import { startServer } from '@/state/servers/connecting';
import { ToolField, useToolNames } from '@/widgets/tool-field/ToolField';
import styles from './checks.module.css';
import { LoadResult } from './LoadResult';
import { ArgumentsField, type PaneProps, Part, RunForm } from './Part';
import { LOAD, TESTING } from './texts';

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
      isCareful
      action={{ label: LOAD.start(plan.total), isDangerous: true, run: () => onStart(wish) }}
    >
      <div className="grid gap-4">
        {plan.host !== null && <p>{visibleText(LOAD.toHost(plan))}</p>}
        {plan.mayHaveEffects && <p>{visibleText(LOAD.effects(options.tool, plan.total))}</p>}
      </div>
    </Dialog>
  );
}
