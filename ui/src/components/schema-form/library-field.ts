import type { FieldProps, Field as LibraryField } from '@rjsf/utils';

/** Returns the component with which the library, or `Field` in its stead, draws a part. */
export function libraryField(field: FieldProps, name: string): LibraryField {
  const found = field.registry.fields[name];
  if (!found) throw new Error(`The form library has no ${name}`);
  return found;
}
