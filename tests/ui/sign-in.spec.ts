import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from '@playwright/test';
import { expect, type Sightglass, startingWith, test } from './support/sightglass';

/** The parts of the Auth tab, by the names that a person reads. */
class Auth {
  constructor(private readonly sightglass: Sightglass) {}

  async of(server: string, page?: string): Promise<void> {
    await this.sightglass.open('signin');
    await this.sightglass.select(server);
    await this.sightglass.settings('Sign-in');
    if (page) await this.show(page);
  }

  async show(page: string): Promise<void> {
    await this.sightglass.page.getByRole('radio', { name: page, exact: true }).click();
  }

  /** How a person stands, in one line. */
  get standing(): Locator {
    return this.sightglass.page.getByRole('main').getByRole('status').nth(1);
  }

  button(name: string): Locator {
    return this.sightglass.page.getByRole('button', { name, exact: true });
  }

  step(name: string): Locator {
    return this.sightglass.page
      .getByRole('grid', { name: 'Steps' })
      .getByRole('row', { name: startingWith(name) });
  }

  async choose(way: string): Promise<void> {
    await this.button('Other ways to sign in').click();
    await this.sightglass.page.getByRole('menuitem', { name: way }).click();
  }
}

test('one click signs in, and one signs out', async ({ sightglass }) => {
  const auth = new Auth(sightglass);
  await auth.of('linear');
  await expect(auth.standing).toHaveText('Sign-in required');
  await expect(
    sightglass.page.getByText('The server answered 401. It asks for read.'),
  ).toBeVisible();
  await auth.button('Sign in').click();
  await expect(auth.standing).toHaveText(/^Signed in as ada@acme\.example until .* minutes$/);
  await expect(sightglass.phase).toHaveText('Ready');
  await auth.button('Sign out').click();
  await expect(auth.standing).toHaveText('Not signed in');
});

test('the overview and the row of a server sign in too', async ({ sightglass }) => {
  const auth = new Auth(sightglass);
  await sightglass.open('signin');
  await sightglass.select('linear');
  await auth.button('Sign in').click();
  await expect(auth.standing).toHaveText(/^Signed in as/);

  await sightglass.server('figma').click({ button: 'right' });
  await sightglass.page.getByRole('menuitem', { name: 'Sign in' }).click();
  await expect(auth.standing).toHaveText(/waiting for your browser/);
  await expect(sightglass.server('figma')).toHaveAttribute('aria-selected', 'true');
});

test('a sign-in can be cancelled while the browser is waited for', async ({ sightglass }) => {
  const auth = new Auth(sightglass);
  await auth.of('figma');
  await auth.button('Sign in').click();
  await expect(sightglass.page.getByText(/It opened 127\.0\.0\.1/)).toBeVisible();
  await expect(auth.button('Open it again')).toBeEnabled();
  const view = await sightglass.invoke('get_auth', { server: 'mcp-json:figma' });
  const { attempt } = view as { attempt: { redirectUri: string } };
  // Another program makes an answer up.
  await sightglass.page.request.get(`${attempt.redirectUri}?code=guessed&state=guessed`);
  await expect(sightglass.page.getByText('It was not used; still waiting')).toBeVisible();
  await auth.button('Cancel').click();
  await expect(auth.standing).toHaveText('Sign-in required');
});

test('a locked keychain is waited for, and not gone around', async ({ sightglass }) => {
  const auth = new Auth(sightglass);
  await sightglass.lockKeychain();
  await auth.of('sentry');
  await auth.button('Sign in').click();
  await expect(auth.standing).toHaveText(/^Waiting for your keychain/);
  await expect(auth.button('Cancel')).toBeEnabled();
});

test('a browser elsewhere: the address is shown, and the one it ended at is pasted', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  const auth = new Auth(sightglass);
  await auth.of('linear');
  await auth.choose('Sign in with a browser elsewhere');
  await expect(page.getByText(/authorize\?response_type=code/).first()).toBeVisible();
  const field = page.getByRole('textbox', { name: 'Address at which the browser ended' });
  await field.fill('not an address');
  await expect(auth.button('Finish')).toBeDisabled();
  await field.fill('http://127.0.0.1:49621/callback?error=access_denied');
  await auth.button('Finish').click();
  await expect(page.getByText('with another `state` came')).toBeVisible();
  const shown = await page
    .getByText(/authorize\?response_type=code/)
    .first()
    .textContent();
  const elsewhere = await page.request.get(shown ?? '', { maxRedirects: 0 });
  await field.fill(elsewhere.headers().location ?? '');
  await field.press('Enter');
  await expect(auth.standing).toHaveText(/^Signed in as/);
});

test('a sign-in that fails opens its steps where it failed', async ({ sightglass }) => {
  const { page } = sightglass;
  const auth = new Auth(sightglass);
  await auth.of('jira');
  await auth.button('Sign in').click();
  await expect(auth.standing).toHaveText('Sign-in failed at server metadata');
  await expect(auth.step('Server metadata')).toHaveAttribute('aria-selected', 'true');
  const detail = page.getByRole('region', { name: 'Server metadata' });
  const check = detail.getByRole('row', { name: /issuer/ });
  await expect(check).toContainText(/http:\/\/127\.0\.0\.1:\d+/);
  await expect(check).toContainText('https://login.elsewhere.example');
  await expect(check.getByRole('link', { name: 'RFC 8414, section 3.3' })).toBeVisible();

  const tried = detail.getByRole('grid', { name: 'Addresses tried' }).getByRole('row');
  await expect(tried).toHaveCount(1);
  await tried.first().click();
  await detail.getByRole('tab', { name: 'Response' }).click();
  await expect(detail.getByText(/"issuer"/).first()).toBeVisible();
  await detail.getByRole('button', { name: 'Show in traffic' }).click();
  await expect(sightglass.trafficRow('oauth-authorization-server')).toHaveCount(1);

  await detail.getByRole('button', { name: 'Copy as curl' }).click();
  await expect(page.getByText('Copied as curl.')).toBeVisible();
  for (const [form, note] of [
    ['Copy for a bug report', 'Copied the sign-in, without its secrets.'],
    ['Copy as a Mermaid diagram', 'Copied a sequence diagram.'],
    ['Copy every request as curl', 'Copied every request as curl.'],
  ] as const) {
    await auth.button('Copy').first().click();
    await page.getByRole('menuitem', { name: form }).click();
    await expect(page.getByText(note)).toBeVisible();
  }

  await detail.getByRole('button', { name: 'Restart from here' }).click();
  await expect(auth.step('Server metadata')).toContainText('Failed');
});

test('in a low window, too, the reason why a sign-in failed is in view', async ({ sightglass }) => {
  const { page } = sightglass;
  await page.setViewportSize({ width: 720, height: 480 });
  const auth = new Auth(sightglass);
  await auth.of('jira');
  await auth.button('Sign in').click();
  await expect(auth.standing).toHaveText('Sign-in failed at server metadata');
  await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 });
});

test('a person walks through a sign-in by the keyboard and changes a request', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  const auth = new Auth(sightglass);
  await auth.of('linear');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('step by step');
  await page.keyboard.press('Enter');
  await expect(auth.standing).toHaveText('Paused before challenge');
  // The keys act where the steps are looked at.
  await sightglass.trafficFilter.focus();
  for (const key of ['F10', 'F8']) await page.keyboard.press(key);
  await auth.step('Challenge').focus();
  for (const next of ['resource metadata', 'server metadata', 'registration']) {
    await page.keyboard.press('F10');
    await expect(auth.standing).toHaveText(`Paused before ${next}`);
  }
  const body = page.getByRole('textbox', { name: 'Body' });
  await expect(body).toHaveValue(/"client_name":"Sightglass"/);
  await body.fill('{"client_name":"Ada"}');
  const headers = page.getByRole('textbox', { name: 'Headers' });
  await headers.fill('no header');
  await expect(page.getByText('is not a header')).toBeVisible();
  await headers.fill('accept: application/json');
  await headers.press('F8');
  await expect(auth.standing).toHaveText(/^Signed in as/);

  await auth.step('Token').focus();
  await page.keyboard.press('Home');
  await expect(auth.step('Challenge')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('j');
  await expect(auth.step('Resource metadata')).toHaveAttribute('aria-selected', 'true');
});

test('a sign-in pauses before the step that a person marked, and there alone', async ({
  sightglass,
}) => {
  const auth = new Auth(sightglass);
  await auth.of('linear', 'Steps');
  await auth.step('Token').hover();
  await auth.button('Pause before token').click();
  await auth.button('Sign in').click();
  await expect(auth.standing).toHaveText('Paused before token');
  await auth.button('Continue').click();
  await expect(auth.standing).toHaveText(/^Signed in as/);
});

test('the token is judged, revealed on request alone, and put to the test', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  const auth = new Auth(sightglass);
  await auth.of('notion', 'Token');
  const judgement = page.getByRole('table', { name: 'Checks of the token' });
  await expect(judgement.getByRole('row', { name: /aud/ })).toContainText('Passed');
  const scopes = page.getByRole('table', { name: 'Scopes' });
  await expect(scopes.getByRole('row', { name: /admin/ })).toContainText('✓ yes');

  const token = page.getByText(/^eyJ[\w-]+\.eyJ/);
  await expect(token).toHaveCount(0);
  await auth.button('Reveal').first().click();
  await expect(token).toBeVisible();
  await auth.button('Hide').click();
  await expect(token).toHaveCount(0);

  await auth.button('Corrupt it').click();
  const reaction = page.getByRole('article', { name: 'Corrupt it' });
  await expect(reaction.getByRole('row')).toHaveCount(1);
  await reaction.getByRole('row').first().click();
  await expect(reaction.getByRole('region', { name: 'Response' })).toContainText('invalid_token');
  await auth.button('Restore the token').click();
  await expect(page.getByRole('article', { name: 'Restore the token' })).toBeVisible();
});

test('what is set by hand is checked and kept, and secrets never come back', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  const auth = new Auth(sightglass);
  await auth.of('linear', 'Client');
  const token = page.getByRole('textbox', { name: startingWith('Token') });
  await token.fill('file:///etc/passwd');
  await expect(page.getByText('Only http and https addresses can be used.')).toBeVisible();
  await expect(auth.button('Save')).toBeDisabled();
  await token.fill('https://auth.linear.app/token');
  await page.getByRole('textbox', { name: 'Client ID' }).fill('sightglass');
  await page.getByLabel('Client secret').fill('s3cret');
  await auth.button('Save').click();
  await expect(page.getByText('stored in a file of yours')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Client ID' })).toHaveValue('sightglass');
  await expect(page.getByLabel('Client secret')).toHaveValue('');
  await expect(auth.button('Save')).toBeDisabled();
});

test('a sign-in takes a redirect and parameters of its own', async ({ sightglass }) => {
  const { page } = sightglass;
  const auth = new Auth(sightglass);
  await auth.of('linear', 'Client');
  const redirect = page.getByRole('textbox', { name: startingWith('Login redirect') });
  await redirect.fill('http://evil.example/callback');
  await expect(page.getByText('Enter an http address on localhost')).toBeVisible();
  await expect(auth.button('Save')).toBeDisabled();
  await redirect.fill('http://localhost/oauth/back');
  await auth.button('Add parameter').click();
  const name = page.getByRole('textbox', { name: 'Name of parameter 1' });
  await name.fill('redirect_uri');
  await expect(page.getByText('redirect_uri is reserved')).toBeVisible();
  await expect(auth.button('Save')).toBeDisabled();
  await name.fill('audience');
  await page.getByRole('textbox', { name: 'Value of parameter 1' }).fill('https://api.example');
  await auth.button('Save').click();
  await expect(auth.button('Save')).toBeDisabled();
  await expect(name).toHaveValue('audience');

  await auth.button('Sign in').click();
  await expect(auth.standing).toHaveText(/^Signed in as ada/);
  await auth.show('Steps');
  await auth.step('Authorization').click();
  await expect(page.getByRole('row', { name: /added parameters/ })).toContainText('audience');
  await expect(page.getByText(/localhost:\d+\/oauth\/back/).first()).toBeVisible();
});

test('the resource parameter is left out, and the step says so', async ({ sightglass }) => {
  const { page } = sightglass;
  const auth = new Auth(sightglass);
  await auth.of('linear', 'Client');
  await page.getByText('Send the resource parameter').click();
  await expect(page.getByText('Left out, for an authorization server')).toBeVisible();
  await auth.button('Save').click();
  await expect(auth.button('Save')).toBeDisabled();
  await auth.button('Sign in').click();
  await expect(auth.standing).toHaveText(/^Signed in as ada/);
  await auth.show('Steps');
  await auth.step('Authorization').click();
  await expect(page.getByText(/^left out/)).toBeVisible();
});

test('the identity provider of a company is signed in to, or its token is pasted', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  const auth = new Auth(sightglass);
  await auth.of('linear', 'Client');
  await page.getByRole('button', { name: /Way$/ }).click();
  await page.getByRole('option', { name: /^Enterprise-managed/ }).click();
  await expect(auth.button('Save')).toBeDisabled();
  const issuer = page.getByRole('textbox', { name: 'Issuer of the identity provider' });
  await issuer.fill('https://login.acme.example');
  await page.getByRole('textbox', { name: 'Client id there' }).fill('sightglass');
  await auth.button('Save').click();
  await expect(auth.button('Save')).toBeDisabled();
  await expect(issuer).toHaveValue('https://login.acme.example');
  await page.getByRole('button', { name: /ID token$/ }).click();
  await page.getByRole('option', { name: /^Paste it/ }).click();
  await expect(page.getByRole('textbox', { name: 'Your ID token' })).toBeVisible();
  await expect(issuer).toHaveCount(0);
});

test('the unsafe choice says that it is', async ({ sightglass }) => {
  const auth = new Auth(sightglass);
  await auth.of('linear', 'Client');
  await sightglass.page.getByText('Continue when the server does not declare').click();
  await expect(sightglass.page.getByText('Unsafe: without PKCE')).toBeVisible();
});

test('identities are added, chosen and forgotten', async ({ sightglass }) => {
  const { page } = sightglass;
  const auth = new Auth(sightglass);
  await auth.of('notion');
  const identities = page.getByRole('grid', { name: 'Accounts' });
  await identities.getByRole('row', { name: 'personal' }).click();
  await expect(auth.standing).toHaveText(/^Signed in as grace@acme\.example/);
  await auth.button('Add account').click();
  await page.getByRole('textbox', { name: 'Name of the account' }).fill('guest');
  await page.keyboard.press('Enter');
  await expect(identities.getByRole('row', { name: 'guest' })).toContainText('In use');
  await expect(auth.standing).toHaveText('Not signed in');
  await auth.button('Actions for guest').click();
  await page.getByRole('menuitem', { name: 'Remove guest' }).click();
  await expect(identities.getByRole('row', { name: 'guest' })).toHaveCount(0);
});

test('the same call runs as two identities, and the results are compared', async ({
  sightglass,
}) => {
  const { page } = sightglass;
  const auth = new Auth(sightglass);
  await sightglass.open('signin');
  await sightglass.select('notion');
  await sightglass.show('Tools');
  // The server lets it be called with the scope admin alone, which personal has not.
  await sightglass.findTool('add');
  await page.getByRole('textbox', { name: /^a\b/i }).fill('1');
  await page.getByRole('textbox', { name: /^b\b/i }).fill('2');
  await auth.button('Compare accounts').click();
  await page.getByRole('menuitem', { name: 'Run as work and as personal' }).click();
  await expect(page.getByText('work and personal get different results')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Result as personal' })).toContainText('personal');
  await auth.button('Show one result').click();
  await expect(page.getByRole('region', { name: 'Result', exact: true })).toBeVisible();
});

test('one action moves every secret', async ({ sightglass }) => {
  const auth = new Auth(sightglass);
  // The real keychain of this machine is left alone.
  await sightglass.script((_command, answer) => {
    const page = window as unknown as { hasMoved?: boolean };
    const keychain = {
      kind: 'keychain',
      settled: true,
      label: 'Secret Service',
      path: null,
      canMoveTo: 'file',
      problem: null,
      waitingSince: null,
    };
    if (page.hasMoved) return answer;
    const text = JSON.stringify(answer) ?? 'null';
    return JSON.parse(text, (key, value) => (key === 'vault' ? keychain : value));
  });
  await auth.of('linear');
  await expect(sightglass.page.getByText('Secret Service, the keychain')).toBeVisible();
  await sightglass.page.evaluate(() => Object.assign(window, { hasMoved: true }));
  await auth.button('Move to a file').click();
  await expect(sightglass.page.getByText('A file that only you can read')).toBeVisible();
  await expect(auth.button('Move to the keychain')).toBeVisible();
});

/** A server that wants a key, whatever is asked. */
async function keyed(): Promise<{ url: string; server: Server }> {
  const server = createServer((_, response) => response.writeHead(401).end());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, server };
}

test('a server without OAuth is told apart, and takes a token', async ({ sightglass }) => {
  const auth = new Auth(sightglass);
  const { url, server } = await keyed();
  try {
    await sightglass.open('welcome');
    const entry = { mcpServers: { keyed: { type: 'http', url } } };
    await sightglass.writeFile('home/.claude/.mcp.json', JSON.stringify(entry));
    await sightglass.select('keyed');
    await sightglass.settings('Sign-in');
    await auth.button('Sign in').click();
    await expect(auth.standing).toHaveText('OAuth is not offered');
    for (const step of ['Resource metadata', 'Server metadata']) {
      await expect(auth.step(step)).toContainText('○');
      await expect(auth.step(step)).toContainText('No metadata at 2 addresses');
    }
    await expect(sightglass.page.getByRole('grid', { name: 'Steps' })).not.toContainText(
      'registers clients',
    );
    await expect(sightglass.page.getByRole('alert')).toContainText(
      'This server does not offer OAuth: there is no metadata at 4 addresses',
    );
    await auth.button('Paste a token').first().click();
    await expect(sightglass.page.getByLabel('Token', { exact: true })).toBeFocused();
  } finally {
    server.close();
  }
});

test('a server whose address lacks a variable is no program', async ({ sightglass }) => {
  await sightglass.open('welcome');
  const entry = { mcpServers: { unset: { type: 'http', url: 'https://${SPEC_HOST}/mcp' } } };
  await sightglass.writeFile('home/.claude/.mcp.json', JSON.stringify(entry));
  await sightglass.select('unset');
  await sightglass.settings('Sign-in');
  await expect(sightglass.panel).toContainText('SPEC_HOST is not set');
  await expect(sightglass.panel).not.toContainText('program on this computer');
});

test('no keychain is named before a secret was kept', async ({ sightglass }) => {
  const { page } = sightglass;
  await sightglass.open('welcome');
  const entry = { mcpServers: { fresh: { type: 'http', url: 'http://127.0.0.1:9/mcp' } } };
  await sightglass.writeFile('home/.claude/.mcp.json', JSON.stringify(entry));
  await sightglass.select('fresh');
  await sightglass.settings('Sign-in');
  await expect(page.getByRole('main')).toContainText('Not chosen yet');
});
