import { useBackend } from '@/backend/backend';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { useRecording } from '@/state/record/recording';
import { useBusy } from '@/state/servers/attempt';
import { RECORDING } from './texts';

/** Says that nothing is being recorded, why, and how to go on; nothing while all is well. */
export function RecordingBanner() {
  const backend = useBackend();
  const { off, dropped } = useRecording((state) => state.recording);
  const { isBusy, run } = useBusy();
  if (off === null) return null;

  return (
    <Banner
      tone="warn"
      actions={
        <Button onPress={() => void run(backend.retryRecording)} isDisabled={isBusy}>
          {RECORDING.retry}
        </Button>
      }
    >
      <strong>{RECORDING.off}</strong> {off} {RECORDING.goesOn(dropped)}
    </Banner>
  );
}
