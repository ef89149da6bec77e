import type { ExchangeRow, FoldedPhase } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';

/**
 * The server of a row; with its project where another project on record has a server of that
 * name.
 */
export function serverName({
  server,
  projectLabel: project,
}: Pick<ExchangeRow | FoldedPhase, 'server' | 'projectLabel'>): string {
  return visibleText(project === null ? server : `${server} · ${project}`);
}
