/** All texts of a form's fields, in one place. Those of violations come from the backend. */

/** Placeholder of an optional field that has no value. */
export const NOT_SENT = 'not sent';

/** Placeholder of a string without a character that is sent. */
export const EMPTY_STRING = 'empty string';

export const REQUIRED = 'required';

export const DONT_SEND = 'Don’t send this field';

/** The name of the button that removes the value of an optional field. */
export const dontSend = (title: string) => `Don’t send ${title}`;

export const presenceOf = (title: string) => `Presence of ${title}`;

export const PRESENCE = { absent: 'Absent', null: 'Null', value: 'Value' } as const;

export const JSON_PLACEHOLDER = 'JSON; empty means not sent';
export const INVALID_JSON = 'not valid JSON';

/** A value of the examples, as a placeholder. */
export const exampleOf = (written: string) => `e.g. ${written}`;

export const CHOOSE = 'Choose…';
export const CHOOSE_ONE = 'Choose one…';

export const unlistedValue = (written: string) => `${written} (not in the list)`;

export const notListed = (written: readonly string[]) => `Not in the list: ${written.join(', ')}`;

/** The name of the chooser between the alternatives of a value. */
export const kindOf = (title: string) => `Kind of ${title}`;

export const alternative = (index: number) => `Alternative ${index + 1}`;

/** The name of the button that puts in the one value that the schema allows. */
export const send = (written: string) => `Send ${written}`;

export const ARGUMENTS = 'Arguments';
export const NO_ARGUMENTS = 'This tool takes no arguments.';
export const NO_FIELDS = 'No fields.';
export const NO_ITEMS = 'No items.';

export const ADD = '+ Add';
export const ADD_ITEM = '+ Add item';
export const ADD_FIELD = '+ Add field';

export const addNamed = (title: string) => `Add ${title}`;

export const addItemTo = (title: string) => `Add item to ${title}`;

export function itemTitle(title: string | undefined, index: number): string {
  return `${title ?? 'Item'} ${index + 1}`;
}

export const itemName = (index: number) => `item ${index + 1}`;

export const moveUp = (name: string) => `Move ${name} up`;

export const moveDown = (name: string) => `Move ${name} down`;

export const remove = (name: string) => `Remove ${name}`;

/** The name of the field that holds the name of a member. */
export const nameOf = (name: string) => `Name of ${name}`;

/** Reasons why a value is edited as JSON. */
export const NOT_OF_TYPE = {
  object: 'The value is not an object.',
  array: 'The value is not an array.',
  boolean: 'The value is not a boolean.',
  number: 'The value is not a number.',
  string: 'The value is not a string.',
  stringButNumber: 'The value is a number.',
} as const;
export const NO_TYPE = 'The schema names no type.';

/** Reasons why there is no form at all, before {@link EDIT_AS_JSON}. */
export const NO_FORM = 'This schema cannot be shown as a form.';
export const EDIT_AS_JSON = 'Edit the value as JSON.';

export const tooManyFields = (most: number) => `A form would have more than ${most} fields.`;

export const tooLarge = (reason: string) => `This schema is too large for a form: ${reason}.`;

/** Says which part of the value cannot be read. */
export function unreadableAt(place: string, problem: string): string {
  return `${place || 'The value'}: ${problem}`;
}
