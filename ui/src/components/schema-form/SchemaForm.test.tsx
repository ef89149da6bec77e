import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { taggedText } from '@/lib/json/tagged';
import { initialValue } from '@/lib/schema/initial';
import { prepareSchema } from '@/lib/schema/prepare';
import type { Violation } from '@/lib/schema/violation';
import { SchemaForm } from './SchemaForm';
// Loaded beforehand, so that no test has to wait for the editor.
import '@/components/json-editor/CodeEditor';

/** A form on a schema, starting from `value`; hands out the JSON it holds now, on one line. */
function show(schema: object | string, value?: string, violations: readonly Violation[] = []) {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema);
  const prepared = prepareSchema(text);
  let current = value ?? taggedText(initialValue(prepared, prepared)) ?? '{}';
  const changed = vi.fn();
  function Host() {
    const [json, setJson] = useState(current);
    current = json;
    return (
      <SchemaForm
        label="Arguments"
        schema={text}
        value={json}
        violations={violations}
        onChange={(next) => {
          changed(next);
          setJson(next);
        }}
      />
    );
  }
  const { unmount } = render(<Host />);
  return { unmount, json: () => current.replaceAll(/\n\s*/g, ''), changed };
}

const field = (name: string) => screen.getByRole('textbox', { name });
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const pick = async (label: RegExp, option: RegExp) => {
  await userEvent.click(screen.getByRole('button', { name: label }));
  await userEvent.click(await screen.findByRole('option', { name: option }));
};

test('an integer beyond 2^53 reaches the JSON digit by digit', async () => {
  const form = show({ type: 'object', properties: { big: { type: 'integer' } } });
  await userEvent.type(field('Big'), '9007199254740993');
  expect(form.json()).toBe('{"big": 9007199254740993}');
});

test('a decimal keeps its trailing zero and its exponent', async () => {
  const form = show({
    type: 'object',
    properties: { ratio: { type: 'number' }, tiny: { type: 'number' } },
  });
  await userEvent.type(field('Ratio'), '1.10');
  await userEvent.type(field('Tiny'), '1E-300');
  expect(form.json()).toBe('{"ratio": 1.10,"tiny": 1E-300}');
});

test('a default beyond 2^53 is preset exactly', () => {
  const schema =
    '{"type":"object","properties":{"big":{"type":"integer","default":9007199254740993}},"required":["big"]}';
  const form = show(schema);
  expect(form.json()).toBe('{"big": 9007199254740993}');
  expect(field('Big')).toHaveValue('9007199254740993');
});

test('editing one field leaves the digits of every other as they were', async () => {
  const form = show(
    {
      type: 'object',
      properties: { name: { type: 'string' }, list: { type: 'array', items: { type: 'number' } } },
    },
    '{"list":[1.0,12345678901234567890,2e5]}',
  );
  await userEvent.type(field('Name'), 'x');
  expect(form.json()).toBe('{"list": [1.0,12345678901234567890,2e5],"name": "x"}');
});

test('text that is no number is sent as it is, with a violation', async () => {
  const message = 'Must be a whole number.';
  const violation = { pointer: '/count', message, sentence: message, missing: false };
  const schema = { type: 'object', properties: { count: { type: 'integer' } } };
  const form = show(schema, undefined, [violation]);
  await userEvent.type(field('Count'), 'abc');
  expect(form.json()).toBe('{"count": "abc"}');
  expect(screen.getByText(/Must be a whole number/)).toBeInTheDocument();
});

test('an untouched optional field is absent, an emptied one is an empty string', async () => {
  const form = show({
    type: 'object',
    properties: { note: { type: 'string' }, other: { type: 'string' } },
  });
  expect(form.json()).toBe('{}');
  await userEvent.type(field('Note'), 'x');
  await userEvent.clear(field('Note'));
  expect(form.json()).toBe('{"note": ""}');
  await press('Don’t send Note');
  expect(form.json()).toBe('{}');
});

test('null, absent and a value are chosen explicitly', async () => {
  const form = show({ type: 'object', properties: { age: { type: ['integer', 'null'] } } });
  const presence = screen.getByRole('radiogroup', { name: 'Presence of Age' });
  await userEvent.click(within(presence).getByRole('radio', { name: 'Null' }));
  expect(form.json()).toBe('{"age": null}');
  await userEvent.click(within(presence).getByRole('radio', { name: 'Absent' }));
  expect(form.json()).toBe('{}');
  await userEvent.type(field('Age'), '7');
  expect(form.json()).toBe('{"age": 7}');
});

test('a null default is kept apart from absent', () => {
  const form = show({
    type: 'object',
    properties: {
      a: { type: ['integer', 'null'], default: null },
      b: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    },
  });
  expect(form.json()).toBe('{"a": null}');
});

test('defaults of nested required objects are preset', () => {
  const form = show({
    type: 'object',
    properties: {
      customer: {
        type: 'object',
        properties: { name: { type: 'string' }, city: { type: 'string', default: 'Lisbon' } },
        required: ['name', 'city'],
      },
      options: {
        type: 'object',
        properties: { retries: { type: 'integer' } },
        default: { retries: 3 },
      },
    },
    required: ['customer'],
  });
  expect(form.json()).toBe('{"customer": {"city": "Lisbon"},"options": {"retries": 3}}');
});

test('items of an array are added, moved and removed', async () => {
  const form = show({
    type: 'object',
    properties: { tags: { type: 'array', items: { type: 'string' } } },
  });
  await press('Add item to Tags');
  await press('Add item to Tags');
  await userEvent.type(screen.getByRole('textbox', { name: 'Item 1' }), 'a');
  await userEvent.type(screen.getByRole('textbox', { name: 'Item 2' }), 'b');
  expect(form.json()).toBe('{"tags": ["a","b"]}');
  await press('Move item 2 up');
  expect(form.json()).toBe('{"tags": ["b","a"]}');
  await press('Remove item 1');
  expect(form.json()).toBe('{"tags": ["a"]}');
});

test('titled choices are picked by their title and sent by their value', async () => {
  const form = show({
    type: 'object',
    properties: {
      size: {
        oneOf: [
          { const: 's', title: 'Small' },
          { const: 'm', title: 'Medium' },
        ],
      },
      level: { type: 'integer', enum: [1, 9007199254740993n.toString()].map(Number) },
    },
  });
  await pick(/Size/, /Medium/);
  expect(form.json()).toBe('{"size": "m"}');
});

test('several choices become an array', async () => {
  const form = show({
    type: 'object',
    properties: {
      toppings: { type: 'array', uniqueItems: true, items: { enum: ['cheese', 'olives', 7] } },
    },
  });
  await userEvent.click(screen.getByRole('checkbox', { name: 'olives' }));
  await userEvent.click(screen.getByRole('checkbox', { name: '7' }));
  expect(form.json()).toBe('{"toppings": ["olives",7]}');
});

test('a union offers its shapes and presets what tells them apart', async () => {
  const form = show({
    type: 'object',
    properties: {
      shape: {
        oneOf: [
          {
            title: 'Circle',
            type: 'object',
            properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
            required: ['kind', 'radius'],
          },
          {
            title: 'Square',
            type: 'object',
            properties: { kind: { const: 'square' }, side: { type: 'number' } },
            required: ['kind', 'side'],
          },
        ],
      },
    },
  });
  await pick(/Kind of Shape/, /Square/);
  await userEvent.type(field('Side'), '2.50');
  expect(form.json()).toBe('{"shape": {"kind": "square","side": 2.50}}');
});

test('a union finds the shape of a value it is given', () => {
  show(
    { type: 'object', properties: { id: { anyOf: [{ type: 'string' }, { type: 'integer' }] } } },
    '{"id":18446744073709551615}',
  );
  expect(screen.getByRole('button', { name: /Kind of Id/ })).toHaveTextContent('integer');
});

test('a recursive schema unfolds one step at a time', async () => {
  const form = show({
    type: 'object',
    properties: { tree: { $ref: '#/$defs/node' } },
    $defs: {
      node: {
        type: 'object',
        properties: {
          label: { type: 'string' },
          children: { type: 'array', items: { $ref: '#/$defs/node' } },
        },
        required: ['label'],
      },
    },
  });
  await press('Add Tree');
  await press('Add item to Children');
  const labels = screen.getAllByRole('textbox', { name: 'Label' });
  expect(labels).toHaveLength(2);
  await userEvent.type(labels[1] as HTMLElement, 'leaf');
  expect(form.json()).toBe('{"tree": {"children": [{"label": "leaf"}]}}');
});

test('a map takes names of the user’s own', async () => {
  const form = show({
    type: 'object',
    properties: { scores: { type: 'object', additionalProperties: { type: 'integer' } } },
    required: ['scores'],
  });
  await press('+ Add field');
  const name = screen.getByRole('textbox', { name: /Name of/ });
  await userEvent.clear(name);
  await userEvent.type(name, 'ada{Enter}');
  await userEvent.clear(field('ada'));
  await userEvent.type(field('ada'), '12345678901234567890');
  expect(form.json()).toBe('{"scores": {"ada": 12345678901234567890}}');
  await press('Remove ada');
  expect(form.json()).toBe('{"scores": {}}');
});

test('a tuple shows one field for each place', async () => {
  const form = show({
    type: 'object',
    properties: {
      range: {
        type: 'array',
        prefixItems: [{ type: 'integer' }, { type: 'integer' }],
        items: false,
        minItems: 2,
      },
    },
    required: ['range'],
  });
  await userEvent.type(screen.getByRole('textbox', { name: 'Item 2' }), '5');
  expect(form.json()).toBe('{"range": [null,5]}');
});

test('what has no form is edited as JSON, and the rest keeps its fields', async () => {
  show({
    type: 'object',
    properties: { any: {}, broken: { $ref: '#/nowhere' }, name: { type: 'string' } },
  });
  expect(await screen.findByRole('textbox', { name: 'Any as JSON' })).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Broken as JSON' })).toBeInTheDocument();
  expect(field('Name')).toBeInTheDocument();
});

test('a condition brings in what it requires', () => {
  const form = show(
    {
      type: 'object',
      properties: { delivery: { enum: ['pickup', 'post'] } },
      if: { properties: { delivery: { const: 'post' } }, required: ['delivery'] },
      then: { properties: { street: { type: 'string' } }, required: ['street'] },
    },
    '{"delivery":"post"}',
  );
  expect(field('Street')).toBeInTheDocument();
  expect(form.json()).toBe('{"delivery":"post"}');
});

test('a condition asks for nothing before the member that decides is given', () => {
  const schema = {
    type: 'object',
    properties: { delivery: { enum: ['pickup', 'post'] }, address: { type: 'string' } },
    required: ['delivery'],
    if: { properties: { delivery: { const: 'post' } } },
    then: { required: ['address'] },
  };
  const address = () => document.querySelector('[data-pointer="/address"]');
  const { unmount } = show(schema, '{}');
  expect(address()).toHaveTextContent('string');
  expect(address()).not.toHaveTextContent(/required/i);
  unmount();
  show(schema, '{"delivery":"post"}');
  expect(address()).toHaveTextContent('string · required');
});
