import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { reconnect } from '@/state/servers/connecting';
import { useConfigured } from '@/state/setup/configuration';
import { ApprovalPanel } from '@/widgets/approval/ApprovalPanel';
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
      {blocked?.type === 'waiting' && <ApprovalPanel server={server} />}
    </>
  );
}
