import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  ObjectFieldTemplateProps,
} from '@rjsf/utils';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import styles from './schema-form.module.css';

/** The members of an object, one below the other. */
export function ObjectTemplate(props: ObjectFieldTemplateProps) {
  const { properties, schema, fieldPathId, onAddProperty } = props;
  const open = typeof schema.additionalProperties === 'object';
  const isRoot = fieldPathId.path.length === 0;
  return (
    <>
      {properties.map(({ content }) => content)}
      {properties.length === 0 && !open && (
        <div className={styles.hints}>
          {isRoot ? 'This tool takes no arguments.' : 'No members.'}
        </div>
      )}
      {open && (
        <button type="button" className={styles.add} onClick={onAddProperty}>
          + Add entry
        </button>
      )}
    </>
  );
}

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

/** One item with its buttons. */
export function ItemTemplate({ children, buttonsProps: can, index }: ArrayFieldItemTemplateProps) {
  const name = `item ${index + 1}`;
  return (
    <div className={styles.itemRow}>
      <div className={styles.itemBody}>{children}</div>
      <div className={styles.itemButtons}>
        {can.hasMoveUp && (
          <button
            type="button"
            className={styles.icon}
            aria-label={`Move ${name} up`}
            onClick={can.onMoveUpItem}
          >
            <ArrowUp size={12} aria-hidden />
          </button>
        )}
        {can.hasMoveDown && (
          <button
            type="button"
            className={styles.icon}
            aria-label={`Move ${name} down`}
            onClick={can.onMoveDownItem}
          >
            <ArrowDown size={12} aria-hidden />
          </button>
        )}
        {can.hasRemove && (
          <button
            type="button"
            className={styles.icon}
            aria-label={`Remove ${name}`}
            onClick={can.onRemoveItem}
          >
            <X size={12} aria-hidden />
          </button>
        )}
      </div>
    </div>
  );
}
