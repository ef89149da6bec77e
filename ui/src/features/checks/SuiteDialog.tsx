import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { SuiteView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { SUITE } from './texts';

/** Question to the user before the official suite runs. */
export type SuiteQuestion = { kind: 'install'; suite: SuiteView } | { kind: 'host'; host: string };

interface SuiteDialogProps {
  question: SuiteQuestion;
  onClose(): void;
  onInstalled(): void;
  onAllowed(host: string): void;
}

/** Asks before the official suite is downloaded, and before it is sent to another machine. */
export function SuiteDialog({ question, onClose, onInstalled, onAllowed }: SuiteDialogProps) {
  const backend = useBackend();
  const [isBusy, setBusy] = useState(false);
  const install = async () => {
    setBusy(true);
    try {
      await backend.installConformanceSuite();
      onInstalled();
    } catch (reason) {
      showError(reason);
      onClose();
    }
  };
  const isInstall = question.kind === 'install';
  return (
    <Dialog
      title={isInstall ? SUITE.install : SUITE.confirm}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose} autoFocus>
            {SUITE.cancel}
          </Button>
          {question.kind === 'install' ? (
            <Button variant="primary" isDisabled={isBusy} onPress={() => void install()}>
              {isBusy ? SUITE.downloading : SUITE.download}
            </Button>
          ) : (
            <Button variant="danger" onPress={() => onAllowed(question.host)}>
              {SUITE.start}
            </Button>
          )}
        </>
      }
    >
      <p>{visibleText(isInstall ? SUITE.installs(question.suite) : SUITE.remote(question.host))}</p>
    </Dialog>
  );
}
