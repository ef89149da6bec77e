import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { AnswerRulesView } from '@/backend/bindings';
import { stubBackend } from '@/test-support/backend';
import { RulesDialog } from './RulesDialog';

const NONE: AnswerRulesView = { path: '/home/ada/rules.toml', problems: [], rules: [] };

function open(then?: () => void): void {
  const rule = { name: 'crm', line: 2, conditions: 'Form of crm', fired: 0 };
  const backend = stubBackend({
    getAnswerRulesText: async () => ({ view: NONE, text: '', hash: 'h' }),
    checkAnswerRules: async () => ({
      ...NONE,
      rules: [{ ...rule, answer: 'accept with name = “Ada”' }],
    }),
  });
  const addition = { text: '[[rule]]\n', leftOut: ['password'] };
  render(
    <BackendContext.Provider value={backend}>
      <RulesDialog addition={addition} {...(then && { then })} />
    </BackendContext.Provider>,
  );
}

it('shows what a rule answers, and names what is not in it', async () => {
  open(() => {});
  expect(await screen.findByText('accept with name = “Ada”')).toBeTruthy();
  expect(screen.getByText(/Not in the rule: password\./)).toBeTruthy();
  expect(screen.getByRole('dialog', { name: 'Always answer like this' })).toBeTruthy();
});

it('does not speak of an answer where the rule gives none', async () => {
  open();
  expect(await screen.findByRole('dialog', { name: 'Make a rule' })).toBeTruthy();
});
