import type { ArrayFieldTemplateProps } from '@rjsf/utils';
import styles from './schema-form.module.css';

/** The items of an array, and how to add one. */
export function ArrayTemplate({ items, canAdd, onAddClick, title }: ArrayFieldTemplateProps) {
  return (
    <>
      {items}
      {items.length === 0 && <div className={styles.hints}>Empty array</div>}
      {canAdd && (
        <button
          type="button"
          className={styles.add}
          aria-label={`Add item to ${title}`}
          onClick={onAddClick}
        >
          + Add item
        </button>
      )}
    </>
  );
}
