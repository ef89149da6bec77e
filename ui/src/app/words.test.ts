// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const GUIDE = new URL('../../../src-tauri/guide/', import.meta.url);
const COMMANDS = new URL('../../../src-tauri/crates/cli/src/', import.meta.url);
const SOURCE = new URL('../', import.meta.url);

/** Words of the specification or of the code, which people read by others. */
const WORDS: readonly [RegExp, string][] = [
  [/\beras?\b/i, 'generation of the protocol'],
  [/\bstateless\b/i, 'modern'],
  [/\bon the wire\b|\bcrossed the wire\b/i, 'sent'],
  [/\bin force\b/i, 'applies, on'],
  [/\bto judge\b/i, 'may matter'],
  [/\bwins here\b/i, 'counts here'],
  [/\bcauses\b/i, 'related'],
  [/\boperations?\b/i, 'call'],
  [/\bportability\b/i, 'findings'],
  [/\b(?:save|new) request\b/i, 'test'],
  [/\bsilence (?:it|this|a finding)\b/i, 'ignore'],
  [/\btools allowed\b/i, 'Tools on/off'],
  [/(?<!workload )\bidentit(?:y|ies)\b(?! provider)/i, 'account'],
];

function read(from: URL, wanted: (path: string) => boolean): [string, string][] {
  return readdirSync(from, { recursive: true, encoding: 'utf8' })
    .filter(wanted)
    .map((path) => [path, readFileSync(new URL(path, from), 'utf8')]);
}

/** The texts of the window: what stands between quotation marks in the files for it. */
function textsOfWindow(): [string, string][] {
  return read(SOURCE, (path) => path.endsWith('texts.ts')).map(([path, source]) => {
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|^(?:import|} from)[\s\S]*?;$/gm, '');
    const texts = code.match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? [];
    return [path, texts.map((text) => text.replace(/\$\{[^{}]*\}/g, '')).join('\n')];
  });
}

/** The chapters, without what they quote of files and of the command line. */
function chapters(): [string, string][] {
  return read(GUIDE, (path) => path !== 'glossary.md').map(([path, text]) => [
    path,
    text.replace(/```[\s\S]*?```|`[^`]*`/g, ''),
  ]);
}

/** The help of the command line: the docs of its commands and options. */
function help(): [string, string][] {
  return read(COMMANDS, (path) => /^(?:commands|options)\b.*\.rs$/.test(path)).map(
    ([path, source]) => {
      const docs = source.match(/^ {4}\/\/\/ .*\n(?! {4}(?:pub(?:\(\w+\))? )?(?:async )?fn )/gm);
      return [path, (docs ?? []).join('').replace(/`[^`]*`/g, '')];
    },
  );
}

test('window, guide and command line have one word for one thing', () => {
  const found = [...textsOfWindow(), ...chapters(), ...help()].flatMap(([path, text]) =>
    text
      .split('\n')
      .flatMap((line) =>
        WORDS.filter(([word]) => word.test(line)).map(
          ([, instead]) => `${path}: ${line.trim()} (${instead})`,
        ),
      ),
  );
  expect(found).toEqual([]);
});
