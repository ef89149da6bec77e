/**
 * Limits of the schemas that the window draws. Schemas come from servers: one of a few kilobytes
 * can stand for more fields than there is memory, so everything that follows one has a limit, and
 * what lies beyond it is edited as JSON.
 */

/** Nested schemas, from the root. */
export const MAX_NESTING = 24;

/** Members of one object. */
export const MAX_MEMBERS = 150;

/** Values of one enumeration, or alternatives of one union. */
export const MAX_CHOICES = 500;

/** Schemas of one form, before references are followed. */
export const MAX_SCHEMAS = 10_000;

/** Schemas of one form with every reference followed until it comes back to itself. */
export const MAX_EXPANDED = 5_000;

/** Fields that are drawn at once. */
export const MAX_FIELDS = 200;

/** Items and members that a form starts from. */
export const MAX_INITIAL = 150;

/** Schemas that are looked at for what a form starts from. */
export const MAX_INITIAL_STEPS = 20_000;

/** Applications of a schema to a part of a value, to tell the alternatives of a union apart. */
export const MAX_STEPS = 20_000;

/** Marks a part that is only drawn in part; its value says what was left out. */
export const LEFT_OUT = 'sightglass:left-out';
