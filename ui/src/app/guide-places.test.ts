// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  GUIDE_OF_DIALOGS,
  GUIDE_OF_PARTS,
  GUIDE_OF_PLACES,
  GUIDE_OF_SECTIONS,
  GUIDE_OF_TABS,
} from './guide-places';

const GUIDE = new URL('../../../src-tauri/guide/', import.meta.url);
const SOURCE = new URL('../', import.meta.url);

test('each place has a part of the guide that is there', () => {
  const places = [
    ...Object.values(GUIDE_OF_TABS),
    ...Object.values(GUIDE_OF_SECTIONS),
    ...Object.values(GUIDE_OF_PLACES),
    ...Object.values(GUIDE_OF_DIALOGS),
    ...GUIDE_OF_PARTS.map(([, place]) => place),
    { chapter: 'first-minute' },
  ];
  for (const { chapter, heading } of places) {
    const text = readFileSync(new URL(`${chapter}.md`, GUIDE), 'utf8');
    expect(text).toContain(heading === undefined ? '# ' : `\n## ${heading}\n`);
  }
});

test('words in bold are words of the window', () => {
  const chapters = readdirSync(GUIDE).map((name) => readFileSync(new URL(name, GUIDE), 'utf8'));
  const bold = chapters.flatMap((text) => [...text.matchAll(/\*\*([^*]+)\*\*/g)]);
  const words = new Set(bold.map(([, words = '']) => words.replace(/\s+/g, ' ')));
  expect(words.size).toBeGreaterThan(40);
  const source = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
    .map((path) => readFileSync(new URL(path, SOURCE), 'utf8'))
    .join('\n');
  const isShown = (word: string) =>
    ["'", '"', '`'].some((mark) =>
      [mark, `…${mark}`].some((end) => source.includes(`${mark}${word}${end}`)),
    );
  expect([...words].filter((word) => !isShown(word))).toEqual([]);
});
