import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Backend, BackendContext } from '@/backend/backend';
import type { ExplanationView } from '@/backend/bindings';
import { useConfiguration } from '@/state/setup/configuration';
import { stubBackend } from '@/test-support/backend';
import { SCOPES } from '@/test-support/configuration';
import { rowsOf } from '../grid/file-rows';
import { ServerExplanation } from './ServerExplanation';

/** Turns what follows it around, and is not seen. */
const HIDDEN = '\u202e';
const ESCAPED = '\\u{202e}';

/** The explanation of a server that waits for approval. */
function open(explainConfiguration: Backend['explainConfiguration']): HTMLElement {
  const { configuration } = SCOPES;
  useConfiguration.getState().replace(configuration);
  const row = rowsOf(configuration, 'mcp-json').find(({ name }) => name === 'deploy');
  if (!row) throw new Error('a sample without this server');
  render(
    <BackendContext.Provider value={stubBackend({ explainConfiguration })}>
      <ServerExplanation row={row} />
    </BackendContext.Provider>,
  );
  return screen.getByRole('article', { name: /deploy/ });
}

it('shows every character of an entry that waits for approval', async () => {
  const sample = SCOPES.explanations['mcp-json']?.deploy;
  if (!sample) throw new Error('a sample without this explanation');
  const explanation: ExplanationView = {
    ...sample,
    sentences: [`It comes from ${HIDDEN}elsewhere.`],
    fields: [{ field: `env.${HIDDEN}KEY`, values: [`value${HIDDEN}`], differs: false }],
    variables: sample.variables.map((variable) => ({ ...variable, value: `masked${HIDDEN}` })),
    problems: [
      { severity: 'warning', kind: 'comment', message: `Odd ${HIDDEN}member`, line: 2, column: 3 },
    ],
  };
  const article = open(async () => explanation);
  for (const text of [
    'It comes from *elsewhere.',
    'env.*KEY',
    'value*',
    'masked*',
    'Odd *member',
  ]) {
    expect(await screen.findByText(text.replace('*', ESCAPED))).toBeVisible();
  }
  expect(article.textContent).not.toContain(HIDDEN);
});

it('shows every character of the reason for having no explanation', async () => {
  const article = open(async () => {
    throw { code: 'internal', message: `No file ${HIDDEN}here`, hint: null };
  });
  expect(await screen.findByText(`✕ No file ${ESCAPED}here`)).toBeVisible();
  expect(article.textContent).not.toContain(HIDDEN);
});
