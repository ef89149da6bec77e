import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { formatQuantity } from '@/lib/format';
import { showError } from '@/state/notices';
import { useRecording } from '@/state/recording';

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
          Try again
        </Button>
      }
    >
      <strong>Recording is off.</strong> {off} Connections go on
      {dropped > 0 ? `; ${formatQuantity(dropped, 'message')} went unrecorded` : ''}.
    </Banner>
  );
}
