import { expect, test } from './support/sightglass';

test('traffic is exported after a look at what it holds and what is masked', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await sightglass.open();
  await sightglass.trafficFilter.fill('method:tools/call');
  await expect(sightglass.trafficRow('-32602')).toBeVisible();
  await expect(sightglass.trafficRow('stderr')).toHaveCount(0);
  await page.getByRole('button', { name: 'Traffic actions' }).click();
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export traffic' });
  await expect(dialog.getByRole('button', { name: /^The shown rows/ })).toBeVisible();
  await expect(dialog.getByText(/^\d+ frames? of \d+ rows?/)).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Beginning of the file' })).toContainText(
    'tools/call',
  );
  await expect(dialog.getByRole('button', { name: 'Save to a file…' })).toBeEnabled();

  await dialog.getByRole('button', { name: /^NDJSON/ }).click();
  await page.getByRole('option', { name: /^Markdown/ }).click();
  await expect(dialog.getByRole('region', { name: 'Beginning of the file' })).toContainText(
    '## MCP session',
  );
  await expect(dialog.getByRole('region', { name: 'Masked secrets' })).toBeVisible();
});

test('a server over stdio has no HTTP to export, and is told so', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open();
  await sightglass.trafficRow('-32602').getByRole('gridcell').nth(4).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Export this row…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export traffic' });
  await expect(dialog.getByRole('button', { name: /^Row #/ })).toBeVisible();
  await dialog.getByRole('button', { name: /^NDJSON/ }).click();
  await page.getByRole('option', { name: /^HAR/ }).click();
  await expect(dialog.getByText('There is nothing to export.')).toBeVisible();
  await expect(dialog.getByText(/crossed no HTTP/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save to a file…' })).toBeDisabled();
});

test('spans are sent to no address but the one that is shown', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open();
  await sightglass.trafficRow('-32602').getByRole('gridcell').nth(4).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Export this connection…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export traffic' });
  await dialog.getByRole('button', { name: /^NDJSON/ }).click();
  await page.getByRole('option', { name: /^OTLP/ }).click();
  await expect(dialog.getByText(/spans? of \d+ rows?/)).toBeVisible();
  const send = dialog.getByRole('button', { name: 'Send', exact: true });
  await expect(send).toBeDisabled();
  const endpoint = dialog.getByRole('textbox', { name: 'Address of the collector' });
  await endpoint.fill('http://collector.test:4318');
  await expect(dialog.getByText(/Use https/)).toBeVisible();
  await expect(send).toBeDisabled();
  await endpoint.fill('http://localhost:4318');
  await expect(dialog.getByText('Sends to http://localhost:4318/v1/traces')).toBeVisible();
  await expect(send).toBeEnabled();
});
