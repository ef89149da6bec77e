import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { taggedText } from '@/lib/json/tagged';
import { initialValue } from '@/lib/schema/initial';
import { MAX_FIELDS } from '@/lib/schema/limits';
import { prepareSchema } from '@/lib/schema/prepare';
import { SchemaForm } from './SchemaForm';

/** Lists of lists, each of which needs a thousand million items. */
function lists(levels: number): string {
  let items: object = { type: 'string' };
  for (let level = 0; level < levels; level += 1) {
    items = { type: 'array', minItems: 1e9, items };
  }
  return JSON.stringify({ type: 'object', properties: { lists: items }, required: ['lists'] });
}

test.each([1, 2, 6])('lists that need many items each are drawn in part: %i deep', (levels) => {
  const schema = lists(levels);
  const prepared = prepareSchema(schema);
  const value = taggedText(initialValue(prepared, prepared)) ?? '{}';
  render(
    <SchemaForm label="Answer" schema={schema} value={value} violations={[]} onChange={() => {}} />,
  );
  expect(value).toContain('lists');
  expect(document.querySelectorAll('textarea').length).toBeLessThanOrEqual(MAX_FIELDS);
  expect(screen.getByRole('group', { name: 'Answer' })).toBeInTheDocument();
});
