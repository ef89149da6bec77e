/** All texts of a form's fields, in one place. */

/** Placeholder of an optional field that has no value. */
export const NOT_SENT = 'not sent';

export const DONT_SEND = 'Don’t send this field';

/** The name of the button that removes the value of an optional field. */
export function dontSend(title: string): string {
  return `Don’t send ${title}`;
}

export const JSON_PLACEHOLDER = 'JSON; empty means not sent';
