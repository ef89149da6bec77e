#!/usr/bin/env node
/*
 * A browser without a window: opens the address that it is given, keeps cookies, signs in with the
 * login in SIGHTGLASS_TEST_LOGIN ("ada"), sends every form that it is shown, and ends once it has
 * been sent back to the program that opened it. Much sooner there than `browser.mjs`.
 *
 * With the word `stay` after the address it does not go back: it prints where it was sent.
 */
const login = process.env.SIGHTGLASS_TEST_LOGIN ?? 'ada';
const cookies = new Map();

async function visit(address, form) {
  const response = await fetch(address, {
    redirect: 'manual',
    method: form ? 'POST' : 'GET',
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    body: form,
  });
  for (const line of response.headers.getSetCookie()) {
    const [name, ...value] = line.split(';')[0].split('=');
    cookies.set(name, value.join('='));
  }
  return response;
}

const isBack = (address) => new URL(address).pathname === '/callback';

let address = process.argv[2];
let response = await visit(address);
while (!isBack(address)) {
  const location = response.headers.get('location');
  if (location !== null) {
    address = new URL(location, address).href;
    if (isBack(address) && process.argv[3] === 'stay') {
      console.log(address);
      break;
    }
    response = await visit(address);
    continue;
  }
  const page = await response.text();
  const action = page.match(/<form[^>]* action="([^"]+)"/)?.[1];
  const prompt = page.match(/name="prompt" value="([^"]+)"/)?.[1];
  if (!action || !prompt) throw new Error(`no form at ${address}: ${page}`);
  const fields = prompt === 'login' ? { prompt, login, password: 'password' } : { prompt };
  address = new URL(action, address).href;
  response = await visit(address, new URLSearchParams(fields));
}
