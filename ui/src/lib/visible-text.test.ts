import { describe, expect, it } from 'vitest';
import { visibleLines, visibleText } from './visible-text';

describe('visibleText', () => {
  it.each([
    ['a right-to-left override', 'cod\u202egpj.exe', 'cod\\u{202e}gpj.exe'],
    ['an isolate', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
    ['a zero-width space', 'git\u200bhub', 'git\\u{200b}hub'],
    ['a terminal escape', '\u001b[2J', '\\u{1b}[2J'],
    ['a C1 control', 'a\u009bb', 'a\\u{9b}b'],
    ['a line break', 'a\nCommand  ls', 'a\\u{a}Command  ls'],
    ['a byte order mark', '\ufeffa', '\\u{feff}a'],
    ['a tag', 'a\u{e0041}', 'a\\u{e0041}'],
  ])('shows %s as an escape', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it('leaves every other text as it is', () => {
    for (const text of ['plain', 'größe', '日本語', 'עברית', '🦀', 'a\\u{202e}']) {
      expect(visibleText(text)).toBe(text);
    }
  });
});

describe('visibleLines', () => {
  it('keeps line breaks and tabs', () => {
    expect(visibleLines('{\n\t"a": "\u202eb"\r\n}')).toBe('{\n\t"a": "\\u{202e}b"\\u{d}\n}');
  });
});
