import { expect, test } from './support/sightglass';

/** Runs the tool that asks, and leaves the question unanswered. */
test.beforeEach(async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('ask_elicitation');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
});

test('a call that waits for the user says so, and leads to the question', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('Waiting for you');
  await expect(result).not.toContainText('Running for');
  await result.getByRole('button', { name: 'Answer' }).click();
  await expect(page.getByRole('tab', { name: /^Requests/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.getByRole('textbox', { name: /Name/ }).fill('Ada');
  // To look something up before answering.
  await sightglass.show('Tools');
  await sightglass.show('Requests');
  await expect(page.getByRole('textbox', { name: /Name/ })).toHaveValue('Ada');
  await page.getByRole('textbox', { name: /Email/ }).fill('ada@acme.example');
  await page.getByRole('button', { name: /^Accept/ }).click();
  await expect(page.getByText('Nothing is asked of you')).toBeVisible();
  await sightglass.show('Tools');
  await expect(result).toContainText('Done in');
});

test('a question whose call has ended is told so, and keeps what was written', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await page.getByRole('textbox', { name: /Name/ }).fill('Ada');
  await sightglass.show('Tools');
  await page.getByRole('button', { name: /^Cancel/ }).click();
  await sightglass.show('Requests');
  await expect(page.getByText('The call it belonged to has ended')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Accept/ })).toHaveCount(0);
  await expect(page.getByText('"name": "Ada"')).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText('Nothing is asked of you')).toBeVisible();
});
