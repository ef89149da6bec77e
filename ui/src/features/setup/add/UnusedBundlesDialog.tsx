import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import { Checkbox } from '@/components/Checkbox';
import { Dialog } from '@/components/Dialog';
import { formatSize } from '@/lib/format';
import { withMembers } from '@/lib/sets';
import { entirelyVisible } from '@/lib/visible-text';
import { useClose } from '@/state/dialogs';
import { showError, showNote } from '@/state/notices';
import { useAnswer } from '@/widgets/use-answer';
import styles from './add.module.css';
import { UNUSED } from './texts';

/** The unpacked bundles that no entry uses any more, to be removed. */
export function UnusedBundlesDialog() {
  const backend = useBackend();
  const close = useClose();
  const { value: bundles, problem } = useAnswer(() => backend.listUnusedBundles(), [backend]);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
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
      problem={problem}
      closeLabel={bundles?.length === 0 ? UNUSED.close : UNUSED.cancel}
      action={
        bundles?.length === 0
          ? undefined
          : {
              label: UNUSED.remove,
              isDisabled: names.length === 0,
              isDangerous: true,
              run: remove,
            }
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
