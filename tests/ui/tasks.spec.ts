import { expect, type Sightglass, test } from './support/sightglass';

/** Asks for a call that takes two seconds, with a question half-way where that is wanted. */
async function fillIn(sightglass: Sightglass, asks: boolean): Promise<void> {
  const { page } = sightglass;
  await page.getByRole('radio', { name: 'JSON', exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Arguments' });
  await editor.fill(`{"steps":4,"ms":1200,"ask":${asks}}`);
}

test('a call that becomes a task shows its progress, its question and its result in place', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  await sightglass.open('welcome');
  await sightglass.connect('Demo');
  await sightglass.show('Tools');
  await sightglass.findTool('background_work');
  await fillIn(sightglass, true);
  await sightglass.runButton.click();
  await expect(result).toContainText('Waiting for you');
  await sightglass.show('Tasks');
  const task = page.getByRole('listbox', { name: 'Tasks' }).getByRole('option');
  await expect(task).toHaveCount(1);
  await expect(task).toContainText('background_work');
  await expect(task).toContainText('needs an answer');
  await expect(page.getByText(/left$/)).toBeVisible();
  await page.getByRole('textbox', { name: /Answer/ }).fill('left');
  await sightglass.confirm();
  await expect(task).toContainText('completed');
  await expect(result).toContainText('"left"');
  // The same result stands where the call was made.
  await page.getByRole('button', { name: 'Open tool' }).click();
  await expect(result).toContainText('Done in');
  await expect(result).toContainText('"left"');
  await sightglass.show('Tasks');
  await page.getByRole('button', { name: 'Forget' }).click();
  await expect(page.getByText('No tasks')).toBeVisible();
});

test('where the server leaves it to the client, the tool is run as a task, and cancelled', async ({
  sightglass,
}) => {
  const { page, result } = sightglass;
  await sightglass.open('project');
  await sightglass.select('orders');
  await sightglass.show('Tools');
  await sightglass.findTool('background_only');
  const asTask = page.getByRole('checkbox', { name: 'As task' });
  await expect(asTask).toBeChecked();
  await expect(asTask).toBeDisabled();
  await sightglass.findTool('echo_arguments');
  await expect(asTask).toHaveCount(0);
  await sightglass.findTool('background_work');
  await expect(asTask).not.toBeChecked();
  // The box itself is drawn by its label.
  await page.getByText('As task').click();
  await expect(asTask).toBeChecked();
  await page.getByRole('button', { name: /Keep the result/ }).click();
  await page.getByRole('option', { name: 'for ten minutes' }).click();
  await fillIn(sightglass, true);
  await sightglass.runButton.click();
  await expect(result).toContainText('Waiting for you');
  await page.getByRole('button', { name: /^Stop/ }).click();
  await expect(result).toContainText('The task was cancelled.');
  await sightglass.show('Tasks');
  const task = page.getByRole('listbox', { name: 'Tasks' }).getByRole('option');
  await expect(task).toContainText('cancelled');
  await expect(page.getByText(/^(9|10) m \d\d s left$/)).toBeVisible();
  await expect(page.getByText('A cancelled task has no result.')).toBeVisible();
  await page.getByRole('button', { name: 'Ask the server for its tasks' }).click();
  await expect(page.getByText('The server lists no other tasks.')).toBeVisible();
});
