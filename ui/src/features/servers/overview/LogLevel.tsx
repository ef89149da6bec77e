import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { type Choice, Select } from '@/components/Select';
import { showError } from '@/state/notices';
import styles from './overview.module.css';
import { SERVER } from './texts';

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
