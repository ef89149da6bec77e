import { recall, remember } from '@/lib/remembered';
import { TABS, useNavigation } from '@/state/navigation';
import { fileOfKey, groupServers } from '@/state/servers/groups';
import { useServers } from '@/state/servers/servers';

const NAME = 'server';
const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Decides what the window is about, and keeps it about something: what the page's address
 * names, else the last server of this window, else the first of the sidebar. Where `.mcp.json`
 * has none, nothing is selected at first: the welcome shows. Called before there are servers and
 * before anything is drawn, so that nothing is drawn that is gone at once.
 */
export function startPlace(): void {
  useServers.subscribe(keepSelected);
  useNavigation.subscribe(({ server }, before) => {
    if (server === before.server) return;
    if (server !== null) remember(NAME, server);
    keepSelected();
  });
  openAddress();
}

/** Selects another server when the selected one is gone. */
function keepSelected(): void {
  const { loaded, servers, files } = useServers.getState();
  const exists = (key: string | null | undefined) =>
    servers.some((server) => server.id === key) || fileOfKey(key ?? null, files) !== undefined;
  if (!loaded || exists(useNavigation.getState().server)) return;
  const remembered = recall(NAME, isText);
  const first = groupServers(servers, files).flatMap((group) => group.servers)[0];
  const hasOwn = servers.some(
    ({ origin, target }) => origin === 'tried' || target?.client === 'mcp-json',
  );
  const isBuiltIn = (key: string) =>
    servers.some((server) => server.id === key && server.origin === 'builtIn');
  // Whatever the window is about stays: this only says which server it would be.
  const select = (server: string | null) => useNavigation.setState({ server });
  if (remembered !== undefined && exists(remembered) && (hasOwn || !isBuiltIn(remembered)))
    select(remembered);
  else select(hasOwn && first ? first.id : null);
}

/**
 * Opens what the page's address names: `?server=built-in:demo&tab=tools&item=echo`. That is how
 * the host shows a certain place at the start. `?place=setup` opens Setup.
 */
function openAddress(): void {
  const address = new URLSearchParams(window.location.search);
  const { open, openSetup } = useNavigation.getState();
  if (address.get('place') === 'setup') openSetup();
  const server = address.get('server');
  if (server === null) return;
  const named = address.get('tab');
  const tab = TABS.find((candidate) => candidate === named);
  open({ server, tab, item: address.get('item') ?? undefined });
}
