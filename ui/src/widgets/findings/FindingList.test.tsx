import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Finding } from '@/backend/bindings';
import { FindingList } from './FindingList';

const FINDING: Finding<null> = {
  rule: 'one-of',
  title: 'Some clients do not know `oneOf`.',
  verdict: 'warning',
  subject: null,
  message: 'The schema has `oneOf`.',
  clause: null,
  exchanges: [],
  evidence: [],
  duration: null,
};

it('draws what stands between backticks as code', () => {
  render(<FindingList findings={[FINDING]} />);
  const item = screen.getByRole('listitem');
  expect(item).not.toHaveTextContent('`');
  expect(screen.getAllByText('oneOf').map(({ tagName }) => tagName)).toEqual(['CODE', 'CODE']);
});

it('says once what the cases of a rule share, and of another one what it says instead', () => {
  const other = { ...FINDING, message: 'An argument has it.' };
  render(
    <FindingList
      findings={[FINDING, FINDING, other]}
      leads="case-alone"
      place={() => <span>there</span>}
    />,
  );
  expect(screen.getAllByText(/The schema has/)).toHaveLength(1);
  const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(rows).toEqual(['there', 'there', 'thereAn argument has it.']);
});
