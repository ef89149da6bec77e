import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { Client, ExplanationView } from '@/backend/bindings';
import { useDialogs } from '@/state/dialogs';
import { useConfiguration } from '@/state/setup/configuration';
import { stubBackend } from '@/test-support/backend';
import { SCOPES } from '@/test-support/configuration';
import { MatrixDetail } from './MatrixDetail';
import { Row } from './MatrixRow';
import { matrixColumns, matrixRows } from './matrix-rows';

const columns = matrixColumns(SCOPES.configuration);
const rows = matrixRows(columns, '');

/** Explains a server by one argument, another in each client, and a limit in one of them. */
async function explainConfiguration(client: Client): Promise<ExplanationView> {
  return {
    fields: [
      { field: 'args[1]', values: [client], differs: false },
      { field: 'startup_timeout', values: [client === 'claude-code' ? null : '20'] },
    ],
  } as unknown as ExplanationView;
}

function show(name: string) {
  useConfiguration.getState().replace(SCOPES.configuration);
  const row = rows.find((one) => one.name === name);
  if (!row) throw new Error(`no row ${name}`);
  const flip = vi.fn();
  render(
    <BackendContext.Provider value={stubBackend({ explainConfiguration })}>
      <table>
        <tbody>
          <Row
            row={row}
            index={0}
            columns={columns}
            search=""
            isChosen
            currentColumn={0}
            onFlip={flip}
          />
        </tbody>
      </table>
      <MatrixDetail row={row} columns={columns} column={undefined} tokens={new Map()} />
    </BackendContext.Provider>,
  );
  return flip;
}

it('shows what two clients differ in, and takes the one into the other', async () => {
  show('postgres');
  const detail = screen.getByRole('region', { name: 'postgres in your clients' });
  expect(await within(detail).findByText('− args[1] "mcp-json"')).toBeVisible();
  expect(within(detail).getByText('+ args[1] "claude-code"')).toBeVisible();
  expect(detail).toHaveTextContent('Claude Code has no field for startup_timeout.');
  await userEvent.click(
    within(detail).getByRole('button', { name: 'Use Sightglass’s in Claude Code' }),
  );
  expect(useDialogs.getState().dialog).toMatchObject({
    kind: 'config-change',
    action: { type: 'sync', name: 'postgres', from: { client: 'mcp-json' } },
  });
  const differing = screen.getByRole('switch', { name: 'postgres in Claude Code' });
  expect(differing).toHaveAccessibleDescription(/^Differs from most clients in args\[1\]\./);
});

it('switches a server where it can be, and says why it cannot', async () => {
  const flip = show('figma');
  await userEvent.click(screen.getByRole('switch', { name: 'figma in Claude Code' }));
  expect(flip).toHaveBeenCalledWith(expect.objectContaining({ type: 'sync', name: 'figma' }));
  expect(screen.getByRole('region').textContent).toContain('figma: in Cursor only');
});
