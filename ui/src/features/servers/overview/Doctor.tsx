import { useBackend } from '@/backend/backend';
import type { DoctorReport, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Section } from '@/components/Section';
import { visibleLines } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { useDoctor } from '@/state/checks/doctor';
import { showRepair } from '@/state/dialogs';
import { showError, showNote } from '@/state/notices';
import { useEditableTarget } from '@/state/setup/configuration';
import { FindingList } from '@/widgets/findings/FindingList';
import styles from './doctor.module.css';
import { FailureAction } from './FailurePanel';
import { DOCTOR } from './texts';

/** The ordered check of a server: the likely cause on top, and what it rests on below. */
export function Doctor({ server }: { server: ServerView }) {
  const backend = useBackend();
  const report = useDoctor((state) => state.reports[server.id]);
  if (!report) return null;
  const isRunning = report.state === 'running';
  return (
    <Section
      title={DOCTOR.title}
      aside={
        <span className="row wrap gap-4">
          {isRunning ? (
            <Button onPress={() => void backend.stopDoctor(server.id).catch(showError)}>
              {DOCTOR.stop}
            </Button>
          ) : (
            <>
              <Button onPress={() => copy(report)}>{DOCTOR.copy}</Button>
              <Button onPress={() => runAction('server.doctor')}>{DOCTOR.again}</Button>
              <Button onPress={() => useDoctor.getState().dismiss(server.id)}>
                {DOCTOR.close}
              </Button>
            </>
          )}
        </span>
      }
    >
      <Conclusion server={server} report={report} />
      <FindingList label={DOCTOR.checks} findings={report.checks} />
    </Section>
  );
}

function Conclusion({ server, report }: { server: ServerView; report: DoctorReport }) {
  return (
    <div className={styles.conclusion}>
      <p role="status">{visibleLines(conclusionOf(report))}</p>
      {report.action && report.otherAddress === null && (
        <FailureAction server={server} action={report.action} failure={report.failure?.failure} />
      )}
      {report.otherAddress !== null && <UseAddress server={server} url={report.otherAddress} />}
    </div>
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

function conclusionOf({ state, cause, failure, checks }: DoctorReport): string {
  if (state === 'running') return DOCTOR.running;
  if (state === 'cancelled') return DOCTOR.stopped;
  if (failure) return DOCTOR.failed(failure.reason, cause);
  if (cause) return DOCTOR.found(cause);
  const warnings = checks.filter(({ verdict }) => verdict === 'warning').length;
  return warnings === 0 ? DOCTOR.passed : DOCTOR.warnings(warnings);
}

function copy(report: DoctorReport): void {
  void navigator.clipboard
    .writeText(report.text)
    .then(() => showNote(DOCTOR.copied))
    .catch(showError);
}
