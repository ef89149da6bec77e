import type { ReactNode } from 'react';
import type { HandshakeResult, ServerView } from '@/backend/bindings';
import { CommandLine } from '@/components/CommandLine';
import { Facts, Section } from '@/components/Section';
import { formatDuration, formatTime } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { eraLabel } from './era';
import { LogLevel } from './LogLevel';
import styles from './overview.module.css';

interface ServerFactsProps {
  server: ServerView;
  handshake: HandshakeResult;
}

/** The server's identity, and what the two sides agreed on. */
export function ServerFacts({ server, handshake }: ServerFactsProps) {
  const { server_name: name, server_title: title, server_version: version } = handshake;
  return (
    <>
      <Section title="Server" aside={<Picture handshake={handshake} />}>
        <Facts
          facts={[
            ['Name', visibleText(title && title !== name ? `${title} (${name})` : name)],
            ['Description', visibleLines(handshake.server_description ?? '')],
            [
              'Website',
              handshake.website && <code key="website">{visibleText(handshake.website)}</code>,
            ],
            ['Version', <code key="version">{visibleText(version)}</code>],
            [
              'Protocol',
              <span key="protocol">
                <code>{visibleText(handshake.protocol_version)}</code>{' '}
                <span className={styles.remark}>{eraLabel(handshake.era)}</span>
              </span>,
            ],
            ['Latency', roundTrip(server, handshake)],
            [
              'Process',
              handshake.process === null ? null : <code key="id">{handshake.process}</code>,
            ],
            [
              server.transport === 'stdio' ? 'Command' : 'Address',
              <CommandLine key="summary" text={server.summary} />,
            ],
            [
              'Capabilities',
              <Capabilities key="capabilities" json={handshake.capabilities_json} />,
            ],
            ['Icons elsewhere', remoteIcons(handshake)],
            [
              'Log level',
              handshake.capabilities.includes('logging') && (
                <LogLevel key="level" server={server} />
              ),
            ],
          ]}
        />
      </Section>
      {handshake.instructions && (
        <Section title="Instructions">
          <p className={styles.instructions}>{visibleLines(handshake.instructions)}</p>
        </Section>
      )}
    </>
  );
}

/** The handshake's round trip at first, then that of the newest ping. */
function roundTrip({ status }: ServerView, handshake: HandshakeResult): ReactNode {
  const { health } = status;
  const latest = health?.round_trip ?? handshake.round_trip;
  if (latest === null) return null;
  const of = health ? `ping at ${formatTime(health.at ?? 0).slice(0, 8)}` : 'first reply';
  return (
    <span key="round-trip">
      {formatDuration(latest)} <span className={styles.remark}>{of}</span>
      {health && health.missed > 0 && (
        <span className={styles.phaseFailed}>
          {' '}
          {health.missed === 1
            ? 'The newest ping has had no answer.'
            : `The newest ${health.missed} pings have had no answer.`}
        </span>
      )}
    </span>
  );
}

/** The server's icon, where it came along with the handshake. */
function Picture({ handshake }: { handshake: HandshakeResult }) {
  const inline = handshake.icons.filter((icon) => icon.source.startsWith('data:image/'));
  const icon = inline.find(({ theme }) => theme === null) ?? inline[0];
  if (!icon) return null;
  return (
    <img
      className={styles.icon}
      src={icon.source}
      alt={`Icon of ${visibleText(handshake.server_name)}`}
    />
  );
}

/** Icons at other addresses are named and not loaded: that would tell their hosts who looks. */
function remoteIcons({ icons }: HandshakeResult): ReactNode {
  const remote = icons.filter((icon) => !icon.source.startsWith('data:'));
  return remote.length === 0 ? null : (
    <span key="icons">
      {remote.map((icon) => (
        <code key={icon.source} className={styles.line}>
          {visibleText(icon.source)}
        </code>
      ))}
      <span className={styles.remark}>Not loaded.</span>
    </span>
  );
}

/** Each capability with what it says of itself: `resources (subscribe, listChanged)`. */
function Capabilities({ json }: { json: string }) {
  const capabilities = entriesOf(json);
  if (capabilities.length === 0) return 'None';
  return (
    <span className={styles.capabilities}>
      {capabilities.map(([name, value]) => {
        const parts = partsOf(value);
        return (
          <span key={name}>
            <code>{visibleText(name)}</code>
            {parts.length > 0 && (
              <span className={styles.remark}> ({visibleText(parts.join(', '))})</span>
            )}
          </span>
        );
      })}
    </span>
  );
}

function entriesOf(json: string): [string, unknown][] {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? Object.entries(value) : [];
  } catch {
    return [];
  }
}

/** The members that are not false. */
function partsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([, part]) => part !== false)
    .map(([name]) => name);
}
