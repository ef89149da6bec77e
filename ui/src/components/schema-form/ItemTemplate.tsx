import type { ArrayFieldItemTemplateProps } from '@rjsf/utils';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import styles from './schema-form.module.css';
import { itemName, moveDown, moveUp, remove } from './texts';

/** One item with its buttons. */
export function ItemTemplate({ children, buttonsProps: can, index }: ArrayFieldItemTemplateProps) {
  const name = itemName(index);
  return (
    <div className={styles.itemRow}>
      <div className={styles.itemBody}>{children}</div>
      <div className={styles.itemButtons}>
        {can.hasMoveUp && (
          <button
            type="button"
            className={styles.icon}
            aria-label={moveUp(name)}
            onClick={can.onMoveUpItem}
          >
            <ArrowUp size={12} aria-hidden />
          </button>
        )}
        {can.hasMoveDown && (
          <button
            type="button"
            className={styles.icon}
            aria-label={moveDown(name)}
            onClick={can.onMoveDownItem}
          >
            <ArrowDown size={12} aria-hidden />
          </button>
        )}
        {can.hasRemove && (
          <button
            type="button"
            className={styles.icon}
            aria-label={remove(name)}
            onClick={can.onRemoveItem}
          >
            <X size={12} aria-hidden />
          </button>
        )}
      </div>
    </div>
  );
}
