import { describe, expect, it } from 'vitest';
import { entirelyVisible, entirelyVisibleLines, visibleLines, visibleText } from './visible-text';

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
    ['a letter without ink', 'a\u3164\u2800\uffa0', 'a\\u{3164}\\u{2800}\\u{ffa0}'],
    [
      'marks without ink',
      '\u034f\u17b4\u{1d173}\u{e0101}',
      '\\u{34f}\\u{17b4}\\u{1d173}\\u{e0101}',
    ],
    ['what belongs to no emoji', 'a\ufe0fb\u200d', 'a\\u{fe0f}b\\u{200d}'],
  ])('shows %s as an escape', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
    expect(entirelyVisible(text)).toBe(shown);
  });

  it('leaves every other text as it is', () => {
    for (const text of ['plain', 'größe', '日本語', 'עברית', '🦀', 'a\\u{202e}', 'a  b\u00a0c']) {
      expect(visibleText(text)).toBe(text);
    }
  });

  it('leaves emoji whole', () => {
    for (const text of ['⚠\ufe0f', '1\ufe0f\u20e3', '👩\u{1f3fd}\u200d💻', '🏳\ufe0f\u200d🌈']) {
      expect(visibleText(text)).toBe(text);
    }
  });
});

describe('entirelyVisible', () => {
  it('takes emoji apart', () => {
    expect(entirelyVisible('⚠\ufe0f 👩\u200d💻')).toBe('⚠\\u{fe0f} 👩\\u{200d}💻');
  });

  it('counts many blanks and escapes other ones', () => {
    const blanks = (count: number) => ' '.repeat(count);
    expect(entirelyVisible(`a${blanks(33)}b${blanks(34)} c`)).toBe('a␣×33b␣×35c');
    expect(entirelyVisible(`${blanks(32)}a`)).toBe(`${blanks(32)}a`);
    expect(entirelyVisible('a\u00a0\u3000b')).toBe('a\\u{a0}\\u{3000}b');
    expect(entirelyVisibleLines('\t'.repeat(40))).toBe('⇥×40');
    expect(visibleText(blanks(40))).toBe(blanks(40));
  });

  it('keeps lines where they are wanted', () => {
    expect(entirelyVisible('a\n\tb')).toBe('a\\u{a}\\u{9}b');
    expect(entirelyVisibleLines('a\n\tb')).toBe('a\n\tb');
  });
});

describe('visibleLines', () => {
  it('keeps line breaks and tabs', () => {
    expect(visibleLines('{\n\t"a": "\u202eb"\r\n}')).toBe('{\n\t"a": "\\u{202e}b"\\u{d}\n}');
  });
});
