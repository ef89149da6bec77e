import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { UnusedBundle } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Checkbox } from '@/components/Checkbox';
import { Dialog } from '@/components/Dialog';
import { useAsyncEffect } from '@/components/use-async-effect';
import { formatSize } from '@/lib/format';
import { withMembers } from '@/lib/sets';
import { entirelyVisible } from '@/lib/visible-text';
import { useClose } from '@/state/dialogs';
import { showError, showNote } from '@/state/notices';
import styles from './add.module.css';
import { UNUSED } from './texts';

/** The unpacked bundles that no entry uses any more, to be removed. */
export function UnusedBundlesDialog() {
  const backend = useBackend();
  const close = useClose();
  const [bundles, setBundles] = useState<readonly UnusedBundle[] | null>(null);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  useAsyncEffect(
    () => ({
      start: () => backend.listUnusedBundles(),
      onValue: setBundles,
      onError: (reason) => {
        close();
        showError(reason);
      },
    }),
    [backend, close],
  );
  const names = (bundles ?? []).map(({ name }) => name).filter((name) => !kept.has(name));
  const remove = () => {
    close();
    backend.deleteUnusedBundles(names).then((count) => {
      const undo = () => void backend.restoreBundles(names).catch(showError);
      showNote(UNUSED.removed(count), { label: UNUSED.undo, run: undo });
    }, showError);
  };
  return (
    <Dialog
      title={UNUSED.title}
      isOpen
      onClose={close}
      footer={
        <>
          <Button onPress={close}>{bundles?.length === 0 ? UNUSED.close : UNUSED.cancel}</Button>
          {bundles?.length !== 0 && (
            <Button variant="danger" isDisabled={names.length === 0} onPress={remove}>
              {UNUSED.remove}
            </Button>
          )}
        </>
      }
    >
      {bundles?.length === 0 ? (
        <p>{UNUSED.none}</p>
      ) : (
        bundles && (
          <>
            <p className={styles.remark}>{UNUSED.meaning}</p>
            <ul className="stack plain-list" aria-label={UNUSED.label}>
              {bundles.map(({ name, directory, size }) => (
                <li key={name} className={styles.item} title={directory}>
                  <Checkbox
                    isSelected={!kept.has(name)}
                    onChange={(isSelected) => setKept(withMembers(kept, [name], !isSelected))}
                  >
                    {entirelyVisible(name)}
                  </Checkbox>
                  <span className="figures remark">{formatSize(size ?? 0)}</span>
                </li>
              ))}
            </ul>
          </>
        )
      )}
    </Dialog>
  );
}
