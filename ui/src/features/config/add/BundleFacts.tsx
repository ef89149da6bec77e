import { useState } from 'react';
import type { Bundle } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Facts } from '@/components/Section';
import { TextField } from '@/components/TextField';
import { visibleLines, visibleText } from '@/lib/visible-text';
import styles from './registry.module.css';

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
      <p className={styles.about}>
        The manifest of an .mcpb bundle is read and shown. Nothing in the bundle is unpacked or run.
      </p>
      <div className={styles.facts}>
        <Button variant={typed === '' ? 'primary' : 'plain'} onPress={onChoose}>
          Choose a bundle…
        </Button>
        <TextField
          label="Path of the bundle"
          hideLabel
          mono
          className={styles.path}
          placeholder="or enter its path"
          value={path}
          onChange={setPath}
        />
        {typed !== '' && (
          <Button type="submit" variant="primary">
            Read
          </Button>
        )}
      </div>
    </form>
  );
}

/** Facts from the manifest of a bundle. */
export function BundleFacts({ bundle, onChange }: { bundle: Bundle; onChange: () => void }) {
  return (
    <section className={styles.choice} aria-label="Bundle">
      <div className={styles.bar}>
        <h3 className={styles.title}>{visibleText(bundle.title ?? bundle.name)}</h3>
        <code className={styles.name}>{bundle.version}</code>
        <span className={styles.space} />
        <Button onPress={onChange}>Choose another…</Button>
      </div>
      <p className={styles.about} dir="auto">
        {visibleLines(bundle.description ?? '')}
      </p>
      <Facts
        facts={[
          ['File', <code key="path">{bundle.path}</code>],
          ['By', bundle.author],
          ['Home page', bundle.homepage && <code key="homepage">{bundle.homepage}</code>],
          ['Runs on', bundle.platforms.join(', ')],
          [
            'Tools',
            bundle.tools.length > 0 ? <code key="tools">{bundle.tools.join(', ')}</code> : null,
          ],
          [
            'Prompts',
            bundle.prompts.length > 0 ? (
              <code key="prompts">{bundle.prompts.join(', ')}</code>
            ) : null,
          ],
        ]}
      />
      <p role="note" className={styles.note}>
        Only the manifest was read. Nothing in the bundle was unpacked or run.
      </p>
      <details className={styles.manifest}>
        <summary>Manifest</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable. */}
        <section aria-label="Manifest" tabIndex={0}>
          <pre>{bundle.manifest}</pre>
        </section>
      </details>
    </section>
  );
}
