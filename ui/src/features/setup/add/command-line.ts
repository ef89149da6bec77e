import type { NamedText } from '@/backend/bindings';

/** A command line taken apart. */
export interface CommandLine {
  /** `NAME=value` words before the program. */
  environment: NamedText[];
  command: string;
  arguments: string[];
}

/** The kinds of text that can be pasted into the command field. */
type Pasted =
  | { kind: 'address'; url: string }
  | { kind: 'command-line'; line: CommandLine }
  | { kind: 'text' };

/** Understands what was pasted: an address, a whole command line, or just a word. */
export function readPasted(text: string): Pasted {
  const trimmed = text.trim();
  if (/^https?:\/\/\S+$/i.test(trimmed)) return { kind: 'address', url: trimmed };
  const line = splitCommandLine(trimmed);
  if (line.arguments.length === 0 && line.environment.length === 0) return { kind: 'text' };
  return { kind: 'command-line', line };
}

/**
 * Splits a command line as a POSIX shell would (XCU 2.2, Quoting), leaving variables as they
 * are. A prompt at its beginning and line continuations are left out. A backslash before an
 * ordinary character stays, so that Windows paths survive.
 */
export function splitCommandLine(text: string): CommandLine {
  const words = splitWords(text.replace(/^\s*[$>]\s+/, '').replace(/\\\r?\n/g, ' '));
  const environment: NamedText[] = [];
  while (words[0] !== undefined) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(words[0]) ?? [];
    if (name === undefined || value === undefined) break;
    environment.push({ name, text: value });
    words.shift();
  }
  return { environment, command: words[0] ?? '', arguments: words.slice(1) };
}

function splitWords(text: string): string[] {
  const words: string[] = [];
  let word = '';
  let isWord = false;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const next = text[at + 1] ?? '';
    if (quote === "'") {
      if (character === "'") quote = null;
      else word += character;
    } else if (character === '\\' && isEscape(next, quote)) {
      word += next;
      isWord = true;
      at += 1;
    } else if (quote === '"') {
      if (character === '"') quote = null;
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      isWord = true;
    } else if (/\s/.test(character)) {
      if (isWord) words.push(word);
      word = '';
      isWord = false;
    } else {
      word += character;
      isWord = true;
    }
  }
  if (isWord) words.push(word);
  return words;
}

function isEscape(next: string, quote: '"' | null): boolean {
  return quote === '"' ? '"\\$`'.includes(next) && next !== '' : /[\s'"\\$`&|;<>()*?#~]/.test(next);
}
