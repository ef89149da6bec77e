/** Attribute of a field's element: the JSON pointer of its value. */
export const POINTER = 'data-pointer';

/** Attribute of what stands beside a field and is not its value. */
export const ASIDE = 'data-aside';

const CONTROLS = 'input:not([type="hidden"]), textarea, button, .cm-content';

/**
 * Focuses the first field, in the order in which they are read, that one of the violations is at or
 * inside of; the first of all fields where none has one. Tells whether there was a field.
 */
export function focusProblem(
  form: HTMLElement | null | undefined,
  violations: readonly { pointer: string }[],
): boolean {
  if (!form) return false;
  const fields = [...form.querySelectorAll<HTMLElement>(`[${POINTER}]`)];
  const known = new Set(fields.map((field) => field.getAttribute(POINTER)));
  const places = new Set(violations.map(({ pointer }) => nearest(pointer, known)));
  const wrong = fields.find((field) => places.has(field.getAttribute(POINTER) ?? ''));
  const found = wrong && controlOf(wrong);
  const control = found ?? controlOf(form);
  control?.focus();
  control?.scrollIntoView({ block: 'nearest' });
  return control !== undefined;
}

/** The field of a value, else that of what it stands in. */
function nearest(pointer: string, known: ReadonlySet<string | null>): string {
  let place = pointer;
  while (place !== '' && !known.has(place)) place = place.slice(0, place.lastIndexOf('/'));
  return place;
}

function controlOf(element: HTMLElement): HTMLElement | undefined {
  return [...element.querySelectorAll<HTMLElement>(CONTROLS)].find(
    (control) => !control.closest(`[${ASIDE}], [aria-hidden="true"], :disabled`),
  );
}
