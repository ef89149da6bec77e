import type { ExchangeRow, FoldedPhase } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';

/**
 * The server of a row; with its project where another project on record has a server of that
 * name.
 */
export function serverName({
  server,
  project_label: project,
}: Pick<ExchangeRow | FoldedPhase, 'server' | 'project_label'>): string {
  return visibleText(project === null ? server : `${server} · ${project}`);
}
