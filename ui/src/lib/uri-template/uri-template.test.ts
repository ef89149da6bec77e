import { expect, test } from 'vitest';
import { expandTemplate, templateVariables } from './uri-template';

// Examples of RFC 6570, section 3.2.
const values = {
  var: 'value',
  hello: 'Hello World!',
  path: '/foo/bar',
  empty: '',
  x: '1024',
  y: '768',
};

test.each([
  ['{var}', 'value'],
  ['{hello}', 'Hello%20World%21'],
  ['{+path}/here', '/foo/bar/here'],
  ['{+hello}', 'Hello%20World!'],
  ['X{#var}', 'X#value'],
  ['map?{x,y}', 'map?1024,768'],
  ['X{.x,y}', 'X.1024.768'],
  ['{/var,x}/here', '/value/1024/here'],
  ['{;x,y,empty}', ';x=1024;y=768;empty'],
  ['{?x,y,empty}', '?x=1024&y=768&empty='],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ['{var:3}', 'val'],
  ['{?undefined,x}', '?x=1024'],
  ['{/undefined}', ''],
])('%s becomes %s', (template, uri) => {
  expect(expandTemplate(template, values)).toBe(uri);
});

test('names are found once each, without operators and modifiers', () => {
  expect(templateVariables('a://{+host}/{path*}{?q,host:3}')).toEqual(['host', 'path', 'q']);
});
