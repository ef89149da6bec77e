import { useState } from 'react';
import type {
  HandshakeResult,
  ListChange,
  ListKind,
  ServerId,
  ServerView,
} from '@/backend/bindings';
import { Facts, Section } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import { recall, remember } from '@/lib/remembered';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { useLists } from '@/state/calls/lists';
import { isUnderWay } from '@/state/servers/phases';
import { LineView } from '@/widgets/line-view/LineView';
import { ConnectSteps } from './ConnectSteps';
import styles from './overview.module.css';
import { PhaseTimeline } from './PhaseTimeline';
import { ServerFacts } from './ServerFacts';
import { HANDSHAKE, LIST_NAMES, LISTS, OVERVIEW } from './texts';

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
