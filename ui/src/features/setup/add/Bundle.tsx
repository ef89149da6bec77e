import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Bundle, RemoteBundle } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Confirmed } from '@/components/Confirmed';
import { Facts } from '@/components/Section';
import { TextField } from '@/components/TextField';
import { formatQuantity, formatSize } from '@/lib/format';
import { entirelyVisible, entirelyVisibleLines } from '@/lib/visible-text';
import styles from './registry.module.css';
import { BUNDLE } from './texts';
import { useAsked } from './use-asked';

interface BundleChooserProps {
  /** Asks for the file. */
  onChoose: () => void;
  /** Reads the file at a path that was typed. */
  onRead: (path: string) => void;
}

/** Asks for the bundle. */
export function BundleChooser({ onChoose, onRead }: BundleChooserProps) {
  const [path, setPath] = useState('');
  const typed = path.trim();
  return (
    <form
      className="stack gap-4 min-w-0"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== '') onRead(typed);
      }}
    >
      <p className={styles.about}>{BUNDLE.hint}</p>
      <div className={styles.facts}>
        <Button variant={typed === '' ? 'primary' : 'plain'} onPress={onChoose}>
          {BUNDLE.choose}
        </Button>
        <TextField
          label={BUNDLE.path}
          hideLabel
          mono
          className={styles.path}
          placeholder={BUNDLE.pathHint}
          value={path}
          onChange={setPath}
        />
        {typed !== '' && (
          <Button type="submit" variant="primary">
            {BUNDLE.read}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Facts from the manifest of a bundle. */
export function BundleFacts({ bundle, onChange }: { bundle: Bundle; onChange?: () => void }) {
  return (
    <section className="stack gap-4 min-w-0" aria-label={BUNDLE.label}>
      <div className={styles.bar}>
        <h3 className={styles.title}>{entirelyVisible(bundle.title ?? bundle.name)}</h3>
        <Confirmed className={styles.name} text={bundle.version} />
        <span className="flex-1" />
        {onChange && <Button onPress={onChange}>{BUNDLE.other}</Button>}
      </div>
      <p className={styles.about} dir="auto">
        {entirelyVisibleLines(bundle.description ?? '')}
      </p>
      <Facts
        facts={[
          [BUNDLE.file, <Confirmed key="path" text={bundle.path} />],
          [BUNDLE.hash, <Confirmed key="hash" text={bundle.sha256} />],
          [BUNDLE.directory, <Confirmed key="directory" text={bundle.directory} />],
          [BUNDLE.author, bundle.author && entirelyVisible(bundle.author)],
          [BUNDLE.homepage, bundle.homepage && <Confirmed key="homepage" text={bundle.homepage} />],
          [BUNDLE.platforms, entirelyVisible(bundle.platforms.join(', '))],
          [BUNDLE.tools, namesOf(bundle.tools)],
          [BUNDLE.prompts, namesOf(bundle.prompts)],
        ]}
      />
      <p role="note" className="remark">
        {BUNDLE.onlyRead}{' '}
        {BUNDLE.onSave(formatQuantity(bundle.files, 'file'), formatSize(bundle.size))}
      </p>
      <details className={styles.manifest}>
        <summary>{BUNDLE.manifest}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable. */}
        <section aria-label={BUNDLE.manifest} tabIndex={0}>
          <pre>
            <Confirmed text={bundle.manifest} isLines />
          </pre>
        </section>
      </details>
    </section>
  );
}

function namesOf(names: readonly string[]) {
  return names.length > 0 ? <Confirmed text={names.join(', ')} /> : null;
}

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
