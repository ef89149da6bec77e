import { describe, expect, it } from 'vitest';
import { addressProblem, headerLines, readHeaderLines } from './draft';

describe('edited headers', () => {
  it('come back as they went in', () => {
    const headers: [string, string][] = [
      ['accept', 'application/json'],
      ['x-time', '12:30'],
    ];
    expect(readHeaderLines(headerLines(headers))).toEqual({ headers });
  });

  it('may have empty lines and no value', () => {
    expect(readHeaderLines('\n  a:  \n')).toEqual({ headers: [['a', '']] });
  });

  it.each(['no colon', ': no name', 'a name: with a space'])('refuse %j', (line) => {
    expect(readHeaderLines(line)).toHaveProperty('problem');
  });
});

describe('an address', () => {
  it('has to be http or https', () => {
    expect(addressProblem('https://a.example/x')).toBeUndefined();
    expect(addressProblem('http://127.0.0.1:8080')).toBeUndefined();
    expect(addressProblem('javascript:alert(1)')).toBeDefined();
    expect(addressProblem('a.example')).toBeDefined();
  });
});
