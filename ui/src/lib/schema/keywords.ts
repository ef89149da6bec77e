/** The keywords with which JSON Schema nests schemas, in all drafts that servers use. */

/** One schema. */
export const SCHEMA_KEYWORDS = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** A list of schemas. */
export const SCHEMA_LIST_KEYWORDS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);

/** Schemas by name. */
export const SCHEMA_MAP_KEYWORDS = new Set([
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Values of the instance, whose numbers must be kept exactly. */
export const VALUE_KEYWORDS = new Set(['const', 'default', 'enum', 'examples']);
