import { useBackend } from '@/backend/backend';
import type { Bundle, RemoteBundle } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Confirmed } from '@/components/Confirmed';
import { Facts } from '@/components/Section';
import { BUNDLE } from './texts';
import { useAsked } from './use-asked';

interface BundleDownloadProps {
  listed: RemoteBundle;
  onDownloaded: (bundle: Bundle) => void;
}

/** A bundle that the registry lists. It is downloaded when the user asks for it. */
export function BundleDownload({ listed, onDownloaded }: BundleDownloadProps) {
  const backend = useBackend();
  const { isAsking, start } = useAsked(() => backend.downloadBundle(listed), onDownloaded);
  return (
    <section className="stack gap-4 min-w-0" aria-label={BUNDLE.label}>
      <Facts
        facts={[
          [BUNDLE.address, <Confirmed key="address" text={listed.url} />],
          [BUNDLE.hash, <Confirmed key="hash" text={listed.sha256} />],
        ]}
      />
      <p className="remark">{BUNDLE.downloadHint}</p>
      <div className="flex gap-4">
        <Button variant="primary" isDisabled={isAsking} onPress={start}>
          {isAsking ? BUNDLE.downloading : BUNDLE.download}
        </Button>
      </div>
    </section>
  );
}
