import type { ReactNode } from 'react';
import { useBackend } from '@/backend/backend';
import type { DoctorReport, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { RunButton } from '@/components/RunButton';
import { runAction } from '@/state/actions';
import { useChecks } from '@/state/checks/checks';
import { showRepair } from '@/state/dialogs';
import { showError, showNote } from '@/state/notices';
import { useEditableTarget } from '@/state/setup/configuration';
import { FindingList } from '@/widgets/findings/FindingList';
import { type PaneProps, Part } from './Part';
import { DOCTOR } from './texts';

interface ConnectionProps extends PaneProps {
  remedy(report: DoctorReport): ReactNode;
}

/** The ordered check of the way to a server: the likely cause, and what it rests on below. */
export function Connection({ server, judgement, remedy }: ConnectionProps) {
  const backend = useBackend();
  const report = useChecks((state) => state.doctor[server.id]);
  const isRunning = report?.state === 'running';
  return (
    <Part
      part="connection"
      judgement={judgement}
      aside={
        <span className="row wrap gap-4">
          {report && !isRunning && <Button onPress={() => copy(report)}>{DOCTOR.copy}</Button>}
          <RunButton
            isRunning={isRunning}
            label={report ? DOCTOR.again : DOCTOR.check}
            onRun={() => runAction('server.doctor')}
            onStop={() => void backend.stopDoctor(server.id).catch(showError)}
          />
        </span>
      }
    >
      {!report && <p className="remark">{DOCTOR.meaning}</p>}
      {report?.action && report.otherAddress === null && <div>{remedy(report)}</div>}
      {report && report.otherAddress !== null && (
        <UseAddress server={server} url={report.otherAddress} />
      )}
      {report && <FindingList label={DOCTOR.checks} findings={report.checks} />}
    </Part>
  );
}

/** Puts the address that answered into the entry. */
function UseAddress({ server, url }: { server: ServerView; url: string }) {
  if (useEditableTarget(server) === undefined) return null;
  return (
    <Button variant="primary" onPress={() => showRepair(server.id, { kind: 'address', to: url })}>
      {DOCTOR.useAddress}
    </Button>
  );
}

function copy(report: DoctorReport): void {
  void navigator.clipboard
    .writeText(report.text)
    .then(() => showNote(DOCTOR.copied))
    .catch(showError);
}
