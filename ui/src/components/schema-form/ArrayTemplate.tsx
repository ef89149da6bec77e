import type { ArrayFieldTemplateProps } from '@rjsf/utils';
import styles from './schema-form.module.css';
import { ADD_ITEM, addItemTo, NO_ITEMS } from './texts';

/** The items of an array, and how to add one. */
export function ArrayTemplate({ items, canAdd, onAddClick, title }: ArrayFieldTemplateProps) {
  return (
    <>
      {items}
      {items.length === 0 && <div className={styles.hints}>{NO_ITEMS}</div>}
      {canAdd && (
        <button
          type="button"
          className={styles.add}
          aria-label={addItemTo(title)}
          onClick={onAddClick}
        >
          {ADD_ITEM}
        </button>
      )}
    </>
  );
}
