import type { ServerView } from '@/backend/bindings';
import { Glyph } from '@/components/Glyph';
import { obstacleOf } from '@/state/servers/obstacle';
import { isUsable } from '@/state/servers/servers';
import { StatusGlyph } from './StatusGlyph';

/** The picture of a server's state, beside its text: of what keeps it from being connected, or else
 * of its phase. */
export function ConditionGlyph({ server }: { server: ServerView }) {
  if (!obstacleOf(server)) {
    const { phase, failure, reconnection } = server.status;
    return reconnection ? (
      <StatusGlyph phase="connecting" />
    ) : (
      <StatusGlyph phase={phase} failure={failure} />
    );
  }
  if (!isUsable(server)) return <Glyph glyph="✕" tone="bad" />;
  return server.blocked?.type === 'refused' ? (
    <Glyph glyph="⊘" tone="bad" />
  ) : (
    <Glyph glyph="▲" tone="warn" />
  );
}
