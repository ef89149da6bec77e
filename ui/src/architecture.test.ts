// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

// The linter keeps the layers and forbids cycles of imports (biome.json); this keeps what it cannot.

const ROOT = import.meta.dirname;
const GENERATED = 'backend/bindings.ts';
const FILES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path) && path !== GENERATED);

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('files of components are in PascalCase, and all others in kebab-case', () => {
  const misnamed = FILES.filter((path) => {
    if (/\.test\.tsx?$/.test(path)) return false;
    const hasComponent =
      path.endsWith('.tsx') &&
      /^export (default )?(function|class|const) [A-Z]\w*[a-z]/m.test(read(path));
    const form = hasComponent ? /^([A-Z][a-z]*)+\.tsx$/ : /^[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/;
    return !form.test(basename(path));
  });
  expect(misnamed).toEqual([]);
});

/** Words that name a topic where a doc comment should say a fact. */
const TOPIC = /^(What|How|Where|Why|Which|Who|Whoever|Whose|Whether|Nobody|Somebody)\b/;

test('doc comments begin with a verb or with what they define', () => {
  const comments = FILES.flatMap((path) =>
    [...read(path).matchAll(/\/\*\*\s*(?:\*\s*)?(.*)/g)].map(([, text = '']) => `${path}: ${text}`),
  );
  expect(comments.length).toBeGreaterThan(1_000);
  expect(comments.filter((comment) => TOPIC.test(comment.replace(/^\S+: /, '')))).toEqual([]);
});
