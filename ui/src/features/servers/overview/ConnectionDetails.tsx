import { useState } from 'react';
import type { ServerView } from '@/backend/bindings';
import { recall, remember } from '@/lib/remembered';
import { isUnderWay } from '@/state/servers/phases';
import { ConnectSteps } from './ConnectSteps';
import { HandshakeMessages } from './HandshakeMessages';
import { Lists } from './Lists';
import { PhaseTimeline } from './PhaseTimeline';
import { ServerFacts } from './ServerFacts';
import { StartOutput } from './StartOutput';
import { OVERVIEW } from './texts';

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
