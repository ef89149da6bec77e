import { useState } from 'react';
import type { Bundle } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Facts } from '@/components/Section';
import { TextField } from '@/components/TextField';
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
export function BundleFacts({ bundle, onChange }: { bundle: Bundle; onChange: () => void }) {
  return (
    <section className={styles.choice} aria-label={BUNDLE.label}>
      <div className={styles.bar}>
        <h3 className={styles.title}>{visibleText(bundle.title ?? bundle.name)}</h3>
        <code className={styles.name}>{bundle.version}</code>
        <span className={styles.space} />
        <Button onPress={onChange}>{BUNDLE.other}</Button>
      </div>
      <p className={styles.about} dir="auto">
        {visibleLines(bundle.description ?? '')}
      </p>
      <Facts
        facts={[
          [BUNDLE.file, <code key="path">{bundle.path}</code>],
          [BUNDLE.author, bundle.author],
          [BUNDLE.homepage, bundle.homepage && <code key="homepage">{bundle.homepage}</code>],
          [BUNDLE.platforms, bundle.platforms.join(', ')],
          [
            BUNDLE.tools,
            bundle.tools.length > 0 ? <code key="tools">{bundle.tools.join(', ')}</code> : null,
          ],
          [
            BUNDLE.prompts,
            bundle.prompts.length > 0 ? (
              <code key="prompts">{bundle.prompts.join(', ')}</code>
            ) : null,
          ],
        ]}
      />
      <p role="note" className={styles.note}>
        {BUNDLE.onlyRead}
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
