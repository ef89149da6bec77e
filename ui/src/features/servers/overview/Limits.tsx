import type { LimitView, ServerView } from '@/backend/bindings';
import { Facts, Section } from '@/components/Section';
import { phaseLabel } from '@/state/servers/phases';
import { LIMITS } from './texts';

/** The time limit of each phase, and its source. */
export function Limits({ server }: { server: ServerView }) {
  if (server.limits.length === 0) return null;
  return (
    <Section title={LIMITS.title}>
      <Facts
        facts={server.limits.map((limit) => [
          nameOf(limit),
          <span key="limit">
            <span className="mono">{LIMITS.value(limit.limit ?? 0)}</span>{' '}
            <span className="regular remark">({LIMITS.source(limit.setBy)})</span>
          </span>,
        ])}
      />
    </Section>
  );
}

function nameOf({ phase }: LimitView): string {
  if (phase === null) return LIMITS.wholeStart;
  return phase === 'executing' ? LIMITS.call : phaseLabel(phase);
}
