import { useBackend } from '@/backend/backend';
import type { LimitView, ServerView } from '@/backend/bindings';
import { Facts, Section } from '@/components/Section';
import { type Choice, Select } from '@/components/Select';
import { showError } from '@/state/notices';
import { phaseLabel } from '@/state/servers/phases';
import styles from './overview.module.css';
import { LIMITS, SERVER } from './texts';

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

const LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

const CHOICES: readonly Choice<string>[] = LEVELS.map((value) => ({ value, label: value }));

/** The least severe log messages that the server is to send (MCP specification, Logging). */
export function LogLevel({ server }: { server: ServerView }) {
  const backend = useBackend();
  const { logLevel: chosen, handshake } = server.status;
  // Where each request says a level, it says this one until the user chooses another.
  const unsaid = handshake?.era === 'modern' ? 'debug' : null;
  return (
    <Select
      label={SERVER.logLevel}
      hideLabel
      choices={CHOICES}
      className={styles.level}
      value={chosen ?? unsaid}
      placeholder={SERVER.levelByServer}
      onChange={(level) => void backend.setLogLevel(server.id, level).catch(showError)}
    />
  );
}
