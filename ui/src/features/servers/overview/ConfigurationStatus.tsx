import { Suspense } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { askAboutFolder } from '@/state/dialogs';
import { reconnect } from '@/state/servers/connecting';
import { useConfigured } from '@/state/setup/configuration';
import { useSnapshot } from '@/state/snapshot';
import { ApprovalPanel } from './later';
import { OVERVIEW } from './texts';

/**
 * Obstacles that the configuration knows before any connection: approval, an older entry.
 */
export function ConfigurationStatus({ server }: { server: ServerView }) {
  const backend = useBackend();
  const outdated = useConfigured(server)?.outdated === true;
  const { blocked } = server;
  return (
    <>
      {outdated && (
        <Banner
          tone="warn"
          actions={
            <Button onPress={() => reconnect(backend, server.id)}>{OVERVIEW.reconnect}</Button>
          }
        >
          {OVERVIEW.outdated}
        </Banner>
      )}
      {blocked?.type === 'waiting' && (
        <Suspense>
          <ApprovalPanel server={server} />
        </Suspense>
      )}
    </>
  );
}

/** The directory in which the server's program was started, when that is not the expected one. */
export function FolderStart({ server }: { server: ServerView }) {
  const backend = useBackend();
  const folder = useSnapshot((state) => state.folder);

  const wasOutside = server.start?.last === 'emptyDirectory';
  if (!wasOutside || server.status.phase === 'disconnected') return null;
  return folder.answer === 'trusted' ? (
    <Banner
      tone="warn"
      actions={<Button onPress={() => reconnect(backend, server.id)}>{OVERVIEW.reconnect}</Button>}
    >
      {OVERVIEW.startedOutsideThen}
    </Banner>
  ) : (
    <Banner
      tone="warn"
      actions={<Button onPress={() => askAboutFolder(server.id)}>{OVERVIEW.trustFolder}</Button>}
    >
      {OVERVIEW.startedOutside}
    </Banner>
  );
}
