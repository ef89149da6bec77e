import type { ObjectFieldTemplateProps } from '@rjsf/utils';
import styles from './schema-form.module.css';
import { ADD_FIELD, NO_ARGUMENTS, NO_FIELDS } from './texts';

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
      {open && (
        <button type="button" className={styles.add} onClick={onAddProperty}>
          {ADD_FIELD}
        </button>
      )}
    </>
  );
}
