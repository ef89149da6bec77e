/*
 * Installs a backend in a browser, before the code of the page runs. Only the browser tests and
 * `npm run dev` load it; it is no part of the product. In the page's address `host` names the
 * browser host, and `scenario` what it prepares.
 */
import { hostIpc } from './host-ipc';
import { installIpc } from './ipc';

const parameters = new URLSearchParams(window.location.search);
const host = parameters.get('host');
if (host === null) throw new Error('The address of this page names no browser host.');
const url = new URL(host);
url.searchParams.set('scenario', parameters.get('scenario') ?? 'project');
installIpc((deliver) => hostIpc(url.href, deliver));
