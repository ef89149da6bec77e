import type { ServerView } from '@/backend/bindings';
import { EmptyState } from '@/components/empty-state';
import { Facts, Section } from '@/components/section';
import { isUnderWay } from '@/components/status-glyph';
import { formatDuration } from '@/lib/format';
import { FailurePanel } from './FailurePanel';
import { HandshakeMessages } from './HandshakeMessages';
import styles from './overview.module.css';
import { PhaseTimeline } from './PhaseTimeline';
import { UnusableEntry } from './UnusableEntry';

/** How a connection came about, or why it did not, and what the two sides agreed on. */
export default function OverviewTab({ server }: { server: ServerView }) {
  const { status } = server;
  const isUnusable = server.problems.some((problem) => problem.severity === 'error');
  return (
    <div className={styles.overview}>
      {isUnusable && <UnusableEntry server={server} />}
      {status.failure && <FailurePanel server={server} report={status.failure} />}
      {status.phase === 'disconnected' && !isUnusable && <NotConnected server={server} />}
      {status.timeline.length > 0 && <PhaseTimeline status={status} />}
      {status.handshake && !isUnderWay(status.phase) && <Handshake server={server} />}
    </div>
  );
}

function NotConnected({ server }: { server: ServerView }) {
  return (
    <EmptyState title={server.disabled ? 'Disabled in its file' : 'Not connected'}>
      <p>
        {server.disabled
          ? 'Clients leave this server out. You can still connect to it here.'
          : `Connecting ${server.transport === 'stdio' ? 'starts' : 'sends a request to'}`}
      </p>
      <code className={styles.command}>{server.summary}</code>
    </EmptyState>
  );
}

function Handshake({ server }: { server: ServerView }) {
  const { handshake } = server.status;
  if (!handshake) return null;
  const { server_name: name, server_title: title, server_version: version } = handshake;
  return (
    <>
      <Section title="Server">
        <Facts
          facts={[
            ['Name', title && title !== name ? `${title} (${name})` : name],
            ['Version', <code key="version">{version}</code>],
            [
              'Protocol',
              <span key="protocol">
                <code>{handshake.protocol_version}</code>{' '}
                <span className={styles.remark}>
                  {handshake.era === 'modern' ? 'stateless era' : 'initialize era'}
                </span>
              </span>,
            ],
            [
              'Round trip',
              handshake.round_trip === null ? null : formatDuration(handshake.round_trip),
            ],
            [
              'Process',
              handshake.process === null ? null : <code key="id">{handshake.process}</code>,
            ],
            [
              server.transport === 'stdio' ? 'Command' : 'Address',
              <code key="summary">{server.summary}</code>,
            ],
            [
              'Capabilities',
              handshake.capabilities.length > 0 ? (
                <span key="capabilities" className={styles.capabilities}>
                  {handshake.capabilities.map((capability) => (
                    <code key={capability}>{capability}</code>
                  ))}
                </span>
              ) : (
                'None'
              ),
            ],
          ]}
        />
      </Section>
      {handshake.instructions && (
        <Section title="Instructions">
          <p className={styles.instructions}>{handshake.instructions}</p>
        </Section>
      )}
      <HandshakeMessages handshake={handshake} />
    </>
  );
}
