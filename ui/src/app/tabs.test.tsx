import { expect, test } from 'vitest';
import { TABS } from '@/state/navigation';
import { demoServer } from '@/test-support/servers';
import { shownTabs, TAB_ROWS } from './tabs';

const unconnected = { server: demoServer(), hasTasks: false };

test('every tab has a row', () => {
  expect(Object.keys(TAB_ROWS).toSorted()).toEqual([...TABS].toSorted());
});

test('tabs of what a server need not have are shown where it has it', () => {
  expect(shownTabs(unconnected, 'overview')).toEqual(
    TABS.filter((tab) => tab !== 'tasks' && tab !== 'skills'),
  );
  expect(shownTabs({ ...unconnected, hasTasks: true }, 'overview')).toContain('tasks');
});

test('the skills stay while the user is with them, tasks do not', () => {
  expect(shownTabs(unconnected, 'skills')).toContain('skills');
  expect(shownTabs(unconnected, 'tasks')).not.toContain('tasks');
});
