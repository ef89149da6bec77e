import { type ReactNode, useState } from 'react';
import type {
  HandshakeResult,
  ListChange,
  ListKind,
  ServerId,
  ServerView,
} from '@/backend/bindings';
import { Button } from '@/components/Button';
import { CommandLine } from '@/components/CommandLine';
import { Facts, Section } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import { formatDuration, formatTime } from '@/lib/format';
import { readMembers } from '@/lib/json/members';
import { recall, remember } from '@/lib/remembered';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { useLists } from '@/state/calls/lists';
import { isUnderWay } from '@/state/servers/phases';
import { LineView } from '@/widgets/line-view/LineView';
import { ConnectSteps } from './ConnectSteps';
import styles from './overview.module.css';
import { PhaseTimeline } from './PhaseTimeline';
import { ERAS, HANDSHAKE, LIST_NAMES, LISTS, OVERVIEW, SERVER } from './texts';

const NAME = 'overview.connection';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/**
 * The course of a connection and what both sides agreed on: as it goes while it is being made,
 * folded afterwards, unless the user opened it once.
 */
export function ConnectionDetails({ server }: { server: ServerView }) {
  const { handshake, phase, timeline, output, steps, knownEndpoint } = server.status;
  const [isOpen, setOpen] = useState(() => recall(NAME, isBoolean) ?? false);
  const course = (
    <>
      {timeline.length > 0 && <PhaseTimeline server={server} />}
      <ConnectSteps server={server} />
      {output.length > 0 && <StartOutput lines={output} />}
    </>
  );
  if (isUnderWay(phase)) return course;
  if (timeline.length === 0 && steps.length === 0 && knownEndpoint === null) return null;
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        setOpen(open);
        remember(NAME, open);
      }}
    >
      <summary className="pad-x-8 pad-y-6 medium remark">{OVERVIEW.connection}</summary>
      {isOpen && (
        <>
          {course}
          {handshake && (
            <>
              <ServerFacts server={server} handshake={handshake} />
              <Lists server={server.id} />
              <HandshakeMessages handshake={handshake} />
            </>
          )}
        </>
      )}
    </details>
  );
}

/** The stderr of a server while it starts: a package runner says what it downloads. */
function StartOutput({ lines }: { lines: readonly string[] }) {
  return (
    <Section title={OVERVIEW.output}>
      <pre className={styles.output} aria-live="off">
        {visibleLines(lines.join('\n'))}
      </pre>
    </Section>
  );
}

type Side = 'request' | 'response';

/** Both sides' first message, as they crossed the wire. */
function HandshakeMessages({ handshake }: { handshake: HandshakeResult }) {
  const [side, setSide] = useState<Side>('response');
  const frame = side === 'request' ? handshake.requestFrame : handshake.responseFrame;
  return (
    <Section
      title={HANDSHAKE.title}
      aside={
        <Segmented
          label={HANDSHAKE.message}
          value={side}
          onChange={setSide}
          segments={[
            { value: 'request', label: HANDSHAKE.request },
            { value: 'response', label: HANDSHAKE.response },
          ]}
        />
      }
    >
      <div className={styles.message}>
        <LineView query={{ frame, pointer: '', form: 'pretty' }} label={HANDSHAKE.label(side)} />
      </div>
    </Section>
  );
}

const KINDS: readonly ListKind[] = ['tools', 'resources', 'resourceTemplates', 'prompts'];

/** The server's lists: how many items each has, how many cannot be used, how long it stays so. */
function Lists({ server }: { server: ServerId }) {
  const lists = useLists((state) => state.byServer[server]);
  const offered = KINDS.flatMap((kind) => lists?.[kind] ?? []).filter(
    ({ state }) => state.type !== 'unsupported',
  );
  if (offered.length === 0) return null;
  return (
    <Section title={LISTS.title}>
      <Facts
        facts={offered.map((list) => [
          LIST_NAMES[list.list],
          <Summary key="summary" list={list} />,
        ])}
      />
    </Section>
  );
}

function Summary({ list }: { list: ListChange }) {
  const { state, count, problems, freshFor, warning } = list;
  return (
    <>
      {LISTS.items(count)}
      {problems > 0 && <span className="medium bad">, {LISTS.unusable(problems)}</span>}
      {freshFor !== null && <span className="regular remark"> {LISTS.cached(freshFor)}</span>}
      {warning !== null && <span className="medium bad"> {visibleText(warning)}</span>}
      {state.type === 'failed' && (
        <span className="medium bad"> {LISTS.incomplete(visibleText(state.message))}</span>
      )}
    </>
  );
}

/** The server's identity, and what the two sides agreed on. */
function ServerFacts({ server, handshake }: { server: ServerView; handshake: HandshakeResult }) {
  const { serverName: name, serverTitle: title, serverVersion: version } = handshake;
  return (
    <Section title={SERVER.title} aside={<Picture handshake={handshake} />}>
      <Facts
        facts={[
          [SERVER.name, visibleText(title && title !== name ? SERVER.fullName(title, name) : name)],
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
  const capabilities = Object.entries(readMembers(json));
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

/** The members that are not false. */
function partsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([, part]) => part !== false)
    .map(([name]) => name);
}
