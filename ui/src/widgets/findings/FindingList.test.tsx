import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Finding } from '@/backend/bindings';
import { FindingList } from './FindingList';

it('draws what stands between backticks as code', () => {
  const finding: Finding<null> = {
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
  render(<FindingList findings={[finding]} />);
  const item = screen.getByRole('listitem');
  expect(item).not.toHaveTextContent('`');
  expect(screen.getAllByText('oneOf').map(({ tagName }) => tagName)).toEqual(['CODE', 'CODE']);
});
