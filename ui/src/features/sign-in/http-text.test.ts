import { describe, expect, it } from 'vitest';
import { addressParameters, formParameters, readableBody, readHttpText } from './http-text';

describe('a message', () => {
  it('is taken apart into its start, its headers and its body', () => {
    const text = 'POST /token HTTP/1.1\r\nHost: a.example\r\nAccept:*/*\r\n\r\na=1\r\n\r\nb';
    expect(readHttpText(text)).toEqual({
      start: 'POST /token HTTP/1.1',
      headers: [
        ['Host', 'a.example'],
        ['Accept', '*/*'],
      ],
      body: 'a=1\n\nb',
    });
  });

  it('may have neither headers nor a body', () => {
    expect(readHttpText('HTTP/1.1 204')).toEqual({ start: 'HTTP/1.1 204', headers: [], body: '' });
  });
});

describe('parameters', () => {
  it('are decoded, and may come several times', () => {
    const address =
      'https://a.example/authorize?scope=read+write&resource=https%3A%2F%2Fm&resource=n';
    expect(addressParameters(address)).toEqual([
      ['scope', 'read write'],
      ['resource', 'https://m'],
      ['resource', 'n'],
    ]);
  });

  it('of a body are those of a form alone', () => {
    const form = readHttpText(
      'POST /t HTTP/1.1\ncontent-type: application/x-www-form-urlencoded; charset=utf-8\n\ncode=%E2%80%A2%E2%80%A2%E2%80%A2&a=b',
    );
    expect(formParameters(form)).toEqual([
      ['code', '•••'],
      ['a', 'b'],
    ]);
    const json = readHttpText('POST /t HTTP/1.1\ncontent-type: application/json\n\n{"a":"b"}');
    expect(formParameters(json)).toEqual([]);
  });
});

describe('a body', () => {
  it('is indented when it is JSON and left alone when it only looks so', () => {
    expect(readableBody('{"a":1}')).toEqual({ text: '{\n  "a": 1\n}', isJson: true });
    expect(readableBody('{cut off')).toEqual({ text: '{cut off', isJson: false });
    expect(readableBody('<html>')).toEqual({ text: '<html>', isJson: false });
  });
});
