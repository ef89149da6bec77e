import { useServers } from '@/state/servers';
import { JsonAnswer } from './JsonAnswer';
import type { AnswerProps } from './RequestsTab';

/** A request for the folders that the server may use (MCP specification, Roots). */
export function Roots(props: AnswerProps) {
  const project = useServers((state) => state.project);
  const roots = [{ uri: folderUri(project.path), name: project.name }];
  return <JsonAnswer {...props} start={JSON.stringify({ roots }, null, 2)} />;
}

function folderUri(path: string): string {
  const slashed = path.replaceAll('\\', '/');
  return new URL(`file://${slashed.startsWith('/') ? '' : '/'}${slashed}`).href;
}
