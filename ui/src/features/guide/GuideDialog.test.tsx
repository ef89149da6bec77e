import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { BackendContext } from '@/backend/backend';
import { sectionsOf } from '@/state/guide';
import { stubBackend } from '@/test-support/backend';
import { GuideDialog } from './GuideDialog';

Element.prototype.scrollIntoView ??= () => {};

const CHAPTERS = [
  {
    name: 'calls',
    title: 'Calls',
    text: '# Calls\n\nSee [tests](tests.md).\n\n## Tasks\n\nA **task** comes later.\n',
  },
  { name: 'tests', title: 'Tests', text: '# Tests\n\nFiles of the project.\n' },
];

test('the parts of a chapter are its beginning and its headings', () => {
  expect(sectionsOf(CHAPTERS).map(({ title, heading }) => [title, heading])).toEqual([
    ['Calls', undefined],
    ['Tasks', 'Tasks'],
    ['Tests', undefined],
  ]);
  expect(sectionsOf(CHAPTERS)[1]?.text).toContain('A task comes later.');
});

test('links and a search lead to other chapters', async () => {
  const user = userEvent.setup();
  const backend = stubBackend({ listGuideChapters: async () => CHAPTERS });
  render(
    <BackendContext.Provider value={backend}>
      <GuideDialog place={{ chapter: 'calls', heading: 'Tasks' }} />
    </BackendContext.Provider>,
  );
  expect(await screen.findByRole('heading', { name: 'Tasks' })).toBeVisible();
  const chosen = () => screen.getAllByRole('option', { selected: true }).map((o) => o.textContent);
  expect(chosen()).toEqual(['Tasks']);
  await waitFor(() => expect(screen.getByRole('region', { name: 'Calls' })).toHaveFocus());

  await user.click(screen.getByRole('link', { name: 'tests' }));
  expect(screen.getByRole('heading', { name: 'Tests' })).toBeVisible();
  expect(screen.getByRole('region', { name: 'Tests' })).toHaveFocus();
  expect(chosen()).toEqual(['Tests']);

  await user.type(screen.getByRole('searchbox', { name: 'Search the guide' }), 'comes later');
  expect(screen.getByRole('status')).toHaveTextContent('1 place found');
  await user.click(screen.getByRole('option', { name: /^Tasks/ }));
  expect(screen.getByRole('heading', { name: 'Calls' })).toBeVisible();
});
