import type { ReactNode } from 'react';
import type { HandshakeResult, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { CommandLine } from '@/components/CommandLine';
import { Facts, Section } from '@/components/Section';
import { formatDuration, formatTime } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import styles from './overview.module.css';
import { ERAS, SERVER } from './texts';

interface ServerFactsProps {
  server: ServerView;
  handshake: HandshakeResult;
}

/** The server's identity, and what the two sides agreed on. */
export function ServerFacts({ server, handshake }: ServerFactsProps) {
  const { serverName: name, serverTitle: title, serverVersion: version } = handshake;
  return (
    <>
      <Section title={SERVER.title} aside={<Picture handshake={handshake} />}>
        <Facts
          facts={[
            [
              SERVER.name,
              visibleText(title && title !== name ? SERVER.fullName(title, name) : name),
            ],
            [SERVER.description, visibleLines(handshake.serverDescription ?? '')],
            [
              SERVER.website,
              handshake.website && <code key="website">{visibleText(handshake.website)}</code>,
            ],
            [SERVER.version, <code key="version">{visibleText(version)}</code>],
            [
              SERVER.protocol,
              <span key="protocol">
                <code>{visibleText(handshake.protocolVersion)}</code>{' '}
                <span className="regular remark">{ERAS[handshake.era]}</span>
              </span>,
            ],
            [SERVER.latency, roundTrip(server, handshake)],
            [
              SERVER.process,
              handshake.process === null ? null : <code key="id">{handshake.process}</code>,
            ],
            [
              server.transport === 'stdio' ? SERVER.command : SERVER.address,
              <CommandLine key="summary" text={server.summary} />,
            ],
            [
              SERVER.capabilities,
              <Capabilities key="capabilities" json={handshake.capabilitiesJson} />,
            ],
            [SERVER.remoteIcons, remoteIcons(handshake)],
          ]}
        />
      </Section>
      {handshake.instructions && (
        <Section title={SERVER.instructions}>
          <p className={styles.instructions}>{visibleLines(handshake.instructions)}</p>
        </Section>
      )}
    </>
  );
}

/** The handshake's round trip at first, then that of the newest ping. */
function roundTrip({ status }: ServerView, handshake: HandshakeResult): ReactNode {
  const { health } = status;
  const latest = health?.roundTrip ?? handshake.roundTrip;
  if (latest === null) return null;
  const of = health ? SERVER.ping(formatTime(health.at ?? 0).slice(0, 8)) : SERVER.firstReply;
  return (
    <span key="round-trip">
      {formatDuration(latest)} <span className="regular remark">{of}</span>
      {health && health.missed > 0 && (
        <span className="medium bad"> {SERVER.missed(health.missed)}</span>
      )}{' '}
      <Button variant="quiet" onPress={() => runAction('server.ping')}>
        {SERVER.pingNow}
      </Button>
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
      alt={SERVER.icon(visibleText(handshake.serverName))}
    />
  );
}

/** Icons at other addresses are named and not loaded: that would tell their hosts who looks. */
function remoteIcons({ icons }: HandshakeResult): ReactNode {
  const remote = icons.filter((icon) => !icon.source.startsWith('data:'));
  return remote.length === 0 ? null : (
    <span key="icons">
      {remote.map((icon) => (
        <code key={icon.source} className="block">
          {visibleText(icon.source)}
        </code>
      ))}
      <span className="regular remark">{SERVER.notLoaded}</span>
    </span>
  );
}

/** Each capability with what it says of itself: `resources (subscribe, listChanged)`. */
function Capabilities({ json }: { json: string }) {
  const capabilities = entriesOf(json);
  if (capabilities.length === 0) return SERVER.noCapabilities;
  return (
    <span className={styles.capabilities}>
      {capabilities.map(([name, value]) => {
        const parts = partsOf(value);
        return (
          <span key={name}>
            <code>{visibleText(name)}</code>
            {parts.length > 0 && (
              <span className="regular remark"> ({visibleText(parts.join(', '))})</span>
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
