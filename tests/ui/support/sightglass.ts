import { join } from 'node:path';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { hostAddress, windowAddress } from './browser-host';

/** What the browser host prepares; see `tests/browser_host/src/scenario.rs`. */
export type Scenario =
  | 'welcome'
  | 'found'
  | 'clients'
  | 'hundreds'
  | 'project'
  | 'many'
  | 'broken'
  | 'scopes'
  | 'huge'
  | 'signin'
  | 'connections'
  | 'names'
  | 'obstacles';

/** The window, by the names that a person reads in it. */
export class Sightglass {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(scenario: Scenario = 'project'): Promise<void> {
    const parameters = new URLSearchParams({ scenario, host: hostAddress() });
    await this.page.goto(`${windowAddress()}/?${parameters}`);
    // The host connects to servers first, which takes its time on a busy machine.
    await expect(this.trafficTitle).toBeVisible({ timeout: 60_000 });
  }

  /** Runs a command of the backend, or one of the browser host about what is around the window. */
  invoke(command: string, args: Record<string, unknown> = {}): Promise<unknown> {
    return this.page.evaluate(
      ([command, args]) => {
        type Invoke = (command: string, args: Record<string, unknown>) => Promise<unknown>;
        const { __TAURI_INTERNALS__: ipc } = window as unknown as {
          __TAURI_INTERNALS__: { invoke: Invoke };
        };
        return ipc.invoke(command, args);
      },
      [command, args] as const,
    );
  }

  /** Writes a file as another program does; `path` lies below `home`, `project` or `system`. */
  async writeFile(path: string, text: string): Promise<void> {
    await this.invoke('host_write_file', { path, text });
  }

  async removeFile(path: string): Promise<void> {
    await this.invoke('host_remove_file', { path });
  }

  /** The absolute path of a file of the scenario. */
  async path(path: string): Promise<string> {
    return String(await this.invoke('host_path', { path }));
  }

  /** Runs an action from the command palette, by its title. */
  async run(title: string): Promise<void> {
    await this.page.keyboard.press('Control+K');
    await this.page.keyboard.type(`>${title}`);
    await this.page.keyboard.press('Enter');
  }

  /** Unfolds how the connection of the server was made, on its overview. */
  async showConnection(): Promise<void> {
    const details = this.panel.locator('details').filter({
      has: this.page.locator('summary', { hasText: /^Connection$/ }),
    });
    if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
    await expect(details).toHaveAttribute('open');
  }

  /** Reads a file of the scenario. */
  async readFile(path: string): Promise<string> {
    return String(await this.invoke('host_read_file', { path }));
  }

  /** Announces a server on the local network. */
  async announce(name: string, host: string, port: number, path: string): Promise<void> {
    await this.invoke('host_announce', { name, host, port, path });
  }

  /** Cuts or mends the line to the registry, or to a server. */
  async cut(line: 'registry' | 'lost', cut = true): Promise<void> {
    await this.invoke('host_cut_line', { line, cut });
  }

  /**
   * Gives commands another answer, for what cannot be had for real. Each function gets the real
   * answer; it runs in the page. Called before `open`.
   */
  async script(rewrite: (command: string, answer: unknown) => unknown): Promise<void> {
    await this.page.addInitScript(`window.rewriteAnswer = ${rewrite}`);
  }

  /** Keeps every sign-in waiting for the keychain; a real one would open a dialog. */
  async lockKeychain(): Promise<void> {
    await this.script((_command, answer) => {
      const text = JSON.stringify(answer) ?? 'null';
      return JSON.parse(text, (key, value) =>
        key === 'attempt' && value?.purpose === 'signIn'
          ? { ...value, state: 'waitingForKeychain' }
          : value,
      );
    });
  }

  server(name: string): Locator {
    return this.page
      .getByRole('listbox', { name: 'Servers' })
      .getByRole('option', { name: startingWith(name) });
  }

  async select(server: string): Promise<void> {
    await this.server(server).click();
    await expect(this.page.getByRole('heading', { name: server, exact: true })).toBeVisible();
  }

  async show(tab: string): Promise<void> {
    const chosen = this.page.getByRole('tab', { name: startingWith(tab) }).first();
    const main = this.page.locator('[data-main]');
    const more = main.getByRole('button', { name: 'More', exact: true });
    await expect(chosen.or(more).first()).toBeVisible();
    if (await chosen.isVisible()) {
      await chosen.click();
      await expect(chosen).toHaveAttribute('aria-selected', 'true');
      return;
    }
    // What does not fit is in the menu, which has its name then.
    await more.first().click();
    await this.page.getByRole('menuitem', { name: startingWith(tab) }).click();
    await expect(main.getByRole('button', { name: tab, exact: true })).toBeVisible();
  }

  /** Shows a section of the settings of the selected server. */
  async settings(section: string): Promise<void> {
    await this.show('Settings');
    const chosen = this.page.getByRole('radio', { name: section, exact: true });
    await chosen.click();
    await expect(chosen).toBeChecked();
  }

  /** Chooses a view of the traffic, which opens the drawer. */
  async showTraffic(view: 'Calls' | 'Log' | 'Timeline' | 'Raw'): Promise<void> {
    const views = this.page.getByRole('tablist', { name: 'View', exact: true });
    const chosen = views.getByRole('tab', { name: view, exact: true });
    await chosen.click();
    await expect(chosen).toHaveAttribute('aria-selected', 'true');
  }

  /** Presses one of the choices of rows behind Show. */
  async toggleRows(choice: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Show( \d)?$/ }).click();
    const choices = this.page.getByRole('dialog', { name: 'Rows to show' });
    await choices.getByRole('button', { name: choice, exact: true }).click();
    await this.page.keyboard.press('Escape');
    await expect(choices).toHaveCount(0);
  }

  /** Shows a part of the checks of the selected server, and returns it. */
  async showCheck(part: string): Promise<Locator> {
    await this.show('Checks');
    const parts = this.page.getByRole('listbox', { name: 'Checks', exact: true });
    await parts.getByRole('option', { name: startingWith(part) }).click();
    return this.page.getByRole('region', { name: part, exact: true });
  }

  /** Has the doctor look at the way to the selected server, and returns where it reports. */
  async examine(): Promise<Locator> {
    const connection = await this.showCheck('Connection');
    await connection.getByRole('button', { name: /^Check (the connection|again)$/ }).click();
    return connection;
  }

  /** Shows Setup: the matrix of servers and clients. */
  async openSetup(scenario: Scenario = 'scopes'): Promise<void> {
    await this.open(scenario);
    await this.page.getByRole('button', { name: startingWith('Setup') }).click();
    await expect(this.page.getByRole('heading', { name: 'Setup', exact: true })).toBeVisible();
    await expect(this.matrix).toBeVisible();
  }

  /** Shows the files of a client, behind its head in Setup: those of Sightglass itself. */
  async openFiles(scenario: Scenario = 'scopes'): Promise<void> {
    await this.openSetup(scenario);
    await this.openClient('Sightglass');
    await expect(this.files).toBeVisible();
  }

  /** Opens the head of a client in Setup. */
  async openClient(client: string): Promise<void> {
    await this.matrix
      .getByRole('columnheader')
      .getByRole('button', { name: client, exact: true })
      .click();
  }

  /** The servers and clients. */
  get matrix(): Locator {
    return this.page.getByRole('grid', { name: 'Servers by client' });
  }

  /** The servers and files of one client. */
  get files(): Locator {
    return this.page.getByRole('grid', { name: 'Servers by file' });
  }

  /** A server's row of a client's files. */
  configRow(name: string): Locator {
    const header = this.page.getByRole('rowheader', { name: startingWith(name) });
    return this.files.getByRole('row').filter({ has: header });
  }

  /** The cell of a server in the file of this title. */
  async configCell(name: string, file: string): Promise<Locator> {
    const head = this.files.getByRole('columnheader', { name: startingWith(file) }).first();
    const index = await head.getAttribute('aria-colindex');
    return this.configRow(name).locator(`[aria-colindex="${index}"]`);
  }

  async selectConfig(name: string): Promise<void> {
    await this.configRow(name).getByRole('rowheader').click();
    await expect(this.explanation(name)).toBeVisible();
  }

  explanation(name: string): Locator {
    return this.page.getByRole('article', { name: `Why ${name} is what it is` });
  }

  dialog(name: string | RegExp): Locator {
    return this.page.getByRole('dialog', { name });
  }

  /** Presses a key that confirms, once what has just appeared takes it. */
  async confirm(key = 'Control+Enter'): Promise<void> {
    await expect(this.page.locator('[data-guarded]')).toHaveCount(0);
    await this.page.keyboard.press(key);
  }

  get phase(): Locator {
    return this.page.getByRole('main').getByRole('status').first();
  }

  async connect(server: string): Promise<void> {
    await this.select(server);
    await this.page.getByRole('button', { name: 'Connect', exact: true }).first().click();
    await expect(this.phase).toHaveText('Ready');
  }

  /** The panel of the tab that is shown of a server; the drawer has one too. */
  get panel(): Locator {
    return this.page.locator('[data-main]').getByRole('tabpanel');
  }

  get toolList(): Locator {
    return this.page.getByRole('listbox', { name: 'Tools', exact: true });
  }

  tool(name: string): Locator {
    return this.toolList.getByRole('option', { name: startingWith(name) });
  }

  /** Chooses a tool of a list that is longer than the screen. */
  async findTool(name: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: 'Filter tools' }).fill(name);
    // Until the rows have moved, another one may be where this one is.
    const first = this.toolList.getByRole('option').first();
    await expect(first).toHaveAccessibleName(startingWith(name));
    await this.tool(name).click();
  }

  get runButton(): Locator {
    return this.page.getByRole('button', { name: startingWith('Run') });
  }

  get result(): Locator {
    return this.page.getByRole('region', { name: 'Result' });
  }

  /** Chooses an entry of the menu that has the views of the result and what can be done with it. */
  async chooseOfResult(entry: string): Promise<void> {
    await this.result.getByRole('button', { name: /^(Result|Raw|Request)$/ }).click();
    const entries = this.page.getByRole('menuitem', { name: entry });
    await entries.or(this.page.getByRole('menuitemradio', { name: entry })).click();
  }

  get trafficTitle(): Locator {
    return this.page.getByRole('button', { name: 'Traffic', exact: true });
  }

  get traffic(): Locator {
    return this.page.getByRole('grid', { name: 'Messages' });
  }

  get trafficFilter(): Locator {
    return this.page.getByRole('searchbox', { name: 'Filter traffic' });
  }

  trafficRow(text: string | RegExp): Locator {
    return this.traffic.getByRole('row').filter({ hasText: text });
  }

  get operations(): Locator {
    return this.page.getByRole('treegrid', { name: 'Calls' });
  }

  operationRow(text: string | RegExp): Locator {
    return this.operations.getByRole('row').filter({ hasText: text });
  }

  get trafficDetail(): Locator {
    return this.page.getByRole('region', { name: 'Traffic detail' });
  }
}

/** A name that begins with these words, whatever is shown beside them. */
export function startingWith(words: string): RegExp {
  return new RegExp(`^${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(\\b|$)`);
}

/** Stands in for the window's IPC; `npm run build:browser` builds it. */
const BACKEND = join(__dirname, '../../../ui/dist-browser/backend.js');

interface Fixtures {
  /** Errors of the page that a test causes. */
  readonly expectedErrors: RegExp | null;
  readonly sightglass: Sightglass;
}

/**
 * A test of the window under the policy of the real one. Whatever the page reports as an error
 * fails the test, refusals by the policy among them.
 */
export const test = base.extend<Fixtures>({
  expectedErrors: [null, { option: true }],
  sightglass: async ({ page, expectedErrors }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.addInitScript({ path: BACKEND });
    // Most look at messages one by one; a view that a test chooses stays.
    await page.addInitScript(() => {
      localStorage['sightglass.traffic.view'] ??= '"raw"';
    });
    await use(new Sightglass(page));
    // Not among what is cleared before the next test has this page.
    await page.evaluate(() => sessionStorage.clear());
    expect(errors.filter((error) => !expectedErrors?.test(error))).toEqual([]);
  },
});

export { expect };
