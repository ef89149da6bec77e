import { describe, expect, it } from 'vitest';
import type { ImportInput } from '@/backend/bindings';
import { EMPTY } from '../edit/form';
import { firstValues, inputError, missingInputs, withValues } from './inputs';

const input = (name: string, more: Partial<ImportInput> = {}): ImportInput => ({
  name,
  title: name,
  description: '',
  required: false,
  secret: false,
  default: null,
  choices: [],
  kind: 'text',
  multiple: false,
  minimum: null,
  maximum: null,
  ...more,
});

describe('withValues', () => {
  const form = {
    ...EMPTY,
    command: 'docker',
    arguments: ['run', '--region=${REGION}', '${IMAGE}:${TAG}'],
    environment: [{ name: 'API_KEY', text: '${API_KEY}' }],
    url: 'https://${REGION}.example.com/mcp',
  };

  it('puts what was given in the place of its variables', () => {
    const filled = withValues(form, { REGION: 'eu', IMAGE: 'acme/mcp', TAG: '2' });
    expect(filled.arguments).toEqual(['run', '--region=eu', 'acme/mcp:2']);
    expect(filled.url).toBe('https://eu.example.com/mcp');
  });

  it('leaves a variable whose value was not given', () => {
    const filled = withValues(form, { API_KEY: '', TAG: '2' });
    expect(filled.environment).toEqual([{ name: 'API_KEY', text: '${API_KEY}' }]);
    expect(filled.arguments.at(-1)).toBe('${IMAGE}:2');
  });

  it('makes an argument of each of several values', () => {
    const folders = { ...form, arguments: ['a', '${FOLDERS}', '--in=${FOLDERS}', '${MORE:-}'] };
    const inputs = [input('FOLDERS', { multiple: true }), input('MORE', { multiple: true })];
    const filled = withValues(folders, { FOLDERS: '/x\n\n/y' }, inputs);
    expect(filled.arguments).toEqual(['a', '/x', '/y', '--in=/x\n\n/y']);
    expect(withValues(folders, {}, inputs).arguments).toEqual([
      'a',
      '${FOLDERS}',
      '--in=${FOLDERS}',
    ]);
  });

  it('fills one that may stay empty', () => {
    const optional = { ...form, arguments: ['${EXTRA:-}'] };
    expect(withValues(optional, { EXTRA: 'x' }).arguments).toEqual(['x']);
    expect(withValues(optional, { EXTRA: '' }).arguments).toEqual(['${EXTRA:-}']);
  });

  it('leaves out what an optional one stands in that may not be read from the environment', () => {
    const textOf = (variables: string[] | null, more: Partial<ImportInput> = {}) =>
      withValues({ ...form, variables }, {}, [input('API_KEY', more)]).environment[0]?.text;
    expect(textOf([])).toBeUndefined();
    const words = ['-v', '${CITY:-}', '--units', '${UNITS:-}', 'x${CITY:-}'];
    const inputs = [input('CITY'), input('UNITS', { title: '--units' })];
    const left = withValues({ ...form, arguments: words, variables: [] }, {}, inputs).arguments;
    expect(left).toEqual(['-v', 'x${CITY:-}']);
    const given = withValues({ ...form, arguments: words, variables: [] }, { UNITS: 'm' }, inputs);
    expect(given.arguments).toEqual(['-v', '--units', 'm', 'x${CITY:-}']);
    expect(textOf(['API_KEY'])).toBe('${API_KEY}');
    expect(textOf(null)).toBe('${API_KEY}');
    expect(textOf([], { required: true })).toBe('${API_KEY}');
  });

  it('takes a value as it stands', () => {
    expect(withValues(form, { API_KEY: '$& $1' }).environment[0]?.text).toBe('$& $1');
  });
});

describe('inputError', () => {
  it('holds a number to its bounds', () => {
    const limit = input('LIMIT', { kind: 'number', minimum: 1, maximum: 10 });
    expect(inputError(limit, '')).toBeUndefined();
    expect(inputError(limit, '3.5')).toBeUndefined();
    expect(inputError(limit, 'x')).toBe('This is not a number.');
    expect(inputError(limit, '0')).toBe('The least is 1.');
    expect(inputError(limit, '11')).toBe('The most is 10.');
    expect(inputError(input('NAME'), 'x')).toBeUndefined();
  });
});

describe('inputs', () => {
  it('begin with their defaults, and say which have to be given', () => {
    const inputs = [input('A', { default: 'x' }), input('B', { required: true }), input('C')];
    const values = firstValues({
      draft: {
        name: 'a',
        endpoint: {
          type: 'stdio',
          command: 'a',
          arguments: [],
          environment: [],
          workingDirectory: null,
        },
      },
      origin: '',
      notes: [],
      leftOut: [],
      bundle: null,
      inputs,
    });
    expect(values).toEqual({ A: 'x', B: '', C: '' });
    expect(missingInputs(inputs, values)).toEqual(['B']);
    expect(missingInputs(inputs, { ...values, B: 'b' })).toEqual([]);
  });
});
