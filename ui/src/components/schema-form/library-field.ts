import type { FieldProps, Field as LibraryField } from '@rjsf/utils';

/** What the library, or `Field` in its stead, draws a part with. */
export function libraryField(field: FieldProps, name: string): LibraryField {
  const found = field.registry.fields[name];
  if (!found) throw new Error(`The form library has no ${name}`);
  return found;
}
