/*
 * Installs a backend in a browser, before the code of the page runs. Only the browser tests and
 * `npm run dev` load it; it is no part of the product. The address chooses the backend: `host`
 * names the browser host, `scenario` what it prepares. Without a host, the fake answers.
 */
import { isScenario } from '../fake/scenarios';
import { fakeIpc } from './fake-ipc';
import { hostIpc } from './host-ipc';
import { installIpc } from './ipc';

const parameters = new URLSearchParams(window.location.search);
const host = parameters.get('host');
const scenario = parameters.get('scenario');
installIpc((deliver) => {
  if (host === null) return fakeIpc(isScenario(scenario) ? scenario : 'project', deliver);
  const url = new URL(host);
  if (scenario !== null) url.searchParams.set('scenario', scenario);
  return hostIpc(url.href, deliver);
});
