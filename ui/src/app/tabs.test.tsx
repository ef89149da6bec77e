import { expect, test } from 'vitest';
import type { ListChange, ListKind } from '@/backend/bindings';
import { TABS } from '@/state/navigation';
import { demoServer } from '@/test-support/servers';
import { shownTabs, TAB_ROWS } from './tabs';

const unconnected = { server: demoServer(), lists: {}, hasTasks: false };

const list = (kind: ListKind, count: number, type: ListChange['state']['type']) => ({
  [kind]: { list: kind, count, state: type === 'failed' ? { type, message: '' } : { type } },
});

const listing = (...lists: object[]) => ({ ...unconnected, lists: Object.assign({}, ...lists) });

test('every tab has a row', () => {
  expect(Object.keys(TAB_ROWS).toSorted()).toEqual([...TABS].toSorted());
});

test('a server that was never connected has an overview and settings', () => {
  expect(shownTabs(unconnected, 'overview')).toEqual(['overview', 'settings']);
});

test('a tab is there where there is something to show', () => {
  const plain = listing(
    list('tools', 3, 'loaded'),
    list('resources', 0, 'unsupported'),
    list('prompts', 0, 'loaded'),
  );
  expect(shownTabs(plain, 'overview')).toEqual([
    'overview',
    'tools',
    'clients',
    'checks',
    'settings',
  ]);
  const templates = listing(list('resources', 0, 'loaded'), list('resourceTemplates', 1, 'loaded'));
  expect(shownTabs(templates, 'overview')).toContain('resources');
  expect(shownTabs(listing(list('prompts', 0, 'failed')), 'overview')).toContain('prompts');
  expect(shownTabs({ ...unconnected, hasTasks: true }, 'overview')).toContain('tasks');
});

test('the tools are there also where a server lists none', () => {
  expect(shownTabs(listing(list('tools', 0, 'loaded')), 'overview')).toContain('tools');
});

test('a tab stays while the user is with it', () => {
  expect(shownTabs(unconnected, 'skills')).toEqual(['overview', 'skills', 'settings']);
});
