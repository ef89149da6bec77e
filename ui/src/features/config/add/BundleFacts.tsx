import { useState } from 'react';
import type { Bundle } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Facts } from '@/components/Section';
import { TextField } from '@/components/TextField';
import { formatQuantity, formatSize } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import styles from './registry.module.css';
import { BUNDLE } from './texts';

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
      className={styles.choice}
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
    <section className={styles.choice} aria-label={BUNDLE.label}>
      <div className={styles.bar}>
        <h3 className={styles.title}>{visibleText(bundle.title ?? bundle.name)}</h3>
        <code className={styles.name}>{bundle.version}</code>
        <span className={styles.space} />
        {onChange && <Button onPress={onChange}>{BUNDLE.other}</Button>}
      </div>
      <p className={styles.about} dir="auto">
        {visibleLines(bundle.description ?? '')}
      </p>
      <Facts
        facts={[
          [BUNDLE.file, <code key="path">{visibleText(bundle.path)}</code>],
          [BUNDLE.hash, <code key="hash">{bundle.sha256}</code>],
          [BUNDLE.directory, <code key="directory">{visibleText(bundle.directory)}</code>],
          [BUNDLE.author, bundle.author && visibleText(bundle.author)],
          [
            BUNDLE.homepage,
            bundle.homepage && <code key="homepage">{visibleText(bundle.homepage)}</code>,
          ],
          [BUNDLE.platforms, visibleText(bundle.platforms.join(', '))],
          [BUNDLE.tools, namesOf(bundle.tools)],
          [BUNDLE.prompts, namesOf(bundle.prompts)],
        ]}
      />
      <p role="note" className={styles.note}>
        {BUNDLE.onlyRead}{' '}
        {BUNDLE.onSave(formatQuantity(bundle.files, 'file'), formatSize(bundle.size))}
      </p>
      <details className={styles.manifest}>
        <summary>{BUNDLE.manifest}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable. */}
        <section aria-label={BUNDLE.manifest} tabIndex={0}>
          <pre>{bundle.manifest}</pre>
        </section>
      </details>
    </section>
  );
}

function namesOf(names: readonly string[]) {
  return names.length > 0 ? <code>{visibleText(names.join(', '))}</code> : null;
}
