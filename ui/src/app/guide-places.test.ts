// @vitest-environment node
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GUIDE_OF_PARTS, GUIDE_OF_PLACES, GUIDE_OF_SECTIONS, GUIDE_OF_TABS } from './guide-places';

const GUIDE = new URL('../../../src-tauri/guide/', import.meta.url);

test('each place has a part of the guide that is there', () => {
  const places = [
    ...Object.values(GUIDE_OF_TABS),
    ...Object.values(GUIDE_OF_SECTIONS),
    ...Object.values(GUIDE_OF_PLACES),
    ...GUIDE_OF_PARTS.map(([, place]) => place),
    { chapter: 'first-minute' },
  ];
  for (const { chapter, heading } of places) {
    const text = readFileSync(new URL(`${chapter}.md`, GUIDE), 'utf8');
    expect(text).toContain(heading === undefined ? '# ' : `\n## ${heading}\n`);
  }
});
