import { useEffect, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Bundle, RemoteBundle } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Confirmed } from '@/components/Confirmed';
import { Facts } from '@/components/Section';
import { showError } from '@/state/notices';
import { BUNDLE } from './texts';

interface BundleDownloadProps {
  listed: RemoteBundle;
  onDownloaded: (bundle: Bundle) => void;
}

/** A bundle that the registry lists. It is downloaded when the user asks for it. */
export function BundleDownload({ listed, onDownloaded }: BundleDownloadProps) {
  const backend = useBackend();
  const [isLoading, setLoading] = useState(false);
  /** False once the user chose something else: what comes then is not taken. */
  const isWanted = useRef(true);
  useEffect(() => {
    isWanted.current = true;
    return () => {
      isWanted.current = false;
    };
  }, []);
  const download = async () => {
    setLoading(true);
    try {
      const bundle = await backend.downloadBundle(listed);
      if (isWanted.current) onDownloaded(bundle);
    } catch (reason) {
      showError(reason);
    } finally {
      setLoading(false);
    }
  };
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
        <Button variant="primary" isDisabled={isLoading} onPress={() => void download()}>
          {isLoading ? BUNDLE.downloading : BUNDLE.download}
        </Button>
      </div>
    </section>
  );
}
