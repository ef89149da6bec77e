import { useEffect } from 'react';
import type { ServerId } from '@/backend/bindings';
import { fileOfKey, groupServers } from '@/state/groups';
import { useNavigation } from '@/state/navigation';
import { recall, remember } from '@/state/remembered';
import { useConfiguredServers, useServers } from '@/state/servers';

const NAME = 'server';
/** Whatever the window is about stays: this only says which server it would be. */
const select = (server: ServerId | null) => useNavigation.setState({ server });
const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Keeps a server selected wherever there is one to look at: the last one of this window, else
 * the first of the sidebar. With the built-in server alone, nothing is: the welcome shows.
 */
export function useFirstServer(): void {
  const servers = useConfiguredServers();
  const files = useServers((state) => state.files);
  const selected = useNavigation((state) => state.server);

  useEffect(() => {
    const exists = (key: string | null | undefined) =>
      servers.some((server) => server.id === key) || fileOfKey(key ?? null, files) !== undefined;
    if (exists(selected)) return;
    const remembered = recall(NAME, isText);
    const first = groupServers(servers, files).flatMap((group) => group.servers)[0];
    const hasOwn = servers.some((server) => server.scope !== null);
    if (remembered !== undefined && hasOwn && exists(remembered)) select(remembered);
    else select(hasOwn && first ? first.id : null);
  }, [servers, files, selected]);

  useEffect(() => {
    if (selected !== null) remember(NAME, selected);
  }, [selected]);
}
