import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  ObjectFieldTemplateProps,
} from '@rjsf/utils';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { IconButton, SmallButton } from './SmallButton';
import styles from './schema-form.module.css';
import {
  ADD_FIELD,
  ADD_ITEM,
  addItemTo,
  itemName,
  moveDown,
  moveUp,
  NO_ARGUMENTS,
  NO_FIELDS,
  NO_ITEMS,
  remove,
} from './texts';

/** The items of an array, and how to add one. */
export function ArrayTemplate({ items, canAdd, onAddClick, title }: ArrayFieldTemplateProps) {
  return (
    <>
      {items}
      {items.length === 0 && <div className={styles.hints}>{NO_ITEMS}</div>}
      {canAdd && (
        <SmallButton label={addItemTo(title)} onClick={onAddClick}>
          {ADD_ITEM}
        </SmallButton>
      )}
    </>
  );
}

/** One item with its buttons. */
export function ItemTemplate({ children, buttonsProps: can, index }: ArrayFieldItemTemplateProps) {
  const name = itemName(index);
  return (
    <div className={styles.itemRow}>
      <div className={styles.itemBody}>{children}</div>
      <div className={styles.itemButtons}>
        {can.hasMoveUp && (
          <IconButton Icon={ArrowUp} label={moveUp(name)} onClick={can.onMoveUpItem} />
        )}
        {can.hasMoveDown && (
          <IconButton Icon={ArrowDown} label={moveDown(name)} onClick={can.onMoveDownItem} />
        )}
        {can.hasRemove && <IconButton Icon={X} label={remove(name)} onClick={can.onRemoveItem} />}
      </div>
    </div>
  );
}

/** The members of an object, one below the other. */
export function ObjectTemplate(props: ObjectFieldTemplateProps) {
  const { properties, schema, fieldPathId, onAddProperty } = props;
  const open = typeof schema.additionalProperties === 'object';
  const isRoot = fieldPathId.path.length === 0;
  return (
    <>
      {properties.map(({ content }) => content)}
      {properties.length === 0 && !open && (
        <div className={styles.hints}>{isRoot ? NO_ARGUMENTS : NO_FIELDS}</div>
      )}
      {open && <SmallButton onClick={onAddProperty}>{ADD_FIELD}</SmallButton>}
    </>
  );
}
