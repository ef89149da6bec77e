import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { showError } from '@/state/notices';
import { useRecording } from '@/state/record/recording';
import { RECORDING } from './texts';

/** Says that nothing is being recorded, why, and how to go on; nothing while all is well. */
export function RecordingBanner() {
  const backend = useBackend();
  const { off, dropped } = useRecording((state) => state.recording);
  const [trying, setTrying] = useState(false);
  if (off === null) return null;

  const retry = async () => {
    setTrying(true);
    try {
      await backend.retryRecording();
    } catch (reason) {
      showError(reason);
    } finally {
      setTrying(false);
    }
  };

  return (
    <Banner
      tone="warn"
      actions={
        <Button onPress={retry} isDisabled={trying}>
          {RECORDING.retry}
        </Button>
      }
    >
      <strong>{RECORDING.off}</strong> {off} {RECORDING.goesOn(dropped)}
    </Banner>
  );
}
