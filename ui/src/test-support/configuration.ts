import type { Client, ConfigurationView, ExplanationView, ServerView } from '@/backend/bindings';
import scopes from './scopes.json';

/** Files of every scope and of several clients, as the backend says; `tests/ui/samples.spec.ts` writes them. */
export const SCOPES = scopes as unknown as {
  configuration: ConfigurationView;
  servers: ServerView[];
  explanations: Partial<Record<Client, Record<string, ExplanationView>>>;
};

/** The files of the `.mcp.json` scopes four times, and their servers until there are `count`. */
export function hugeConfiguration(count: number): ConfigurationView {
  const { configuration } = SCOPES;
  const [client] = configuration.clients;
  if (!client) throw new Error('a sample without clients');
  const files = [0, 1, 2, 3].flatMap((copy) =>
    client.files.map((file) => ({ ...file, scope: `${file.scope}${copy || ''}` })),
  );
  const servers = Array.from({ length: count }, (_, index) => {
    const server = client.servers[index % client.servers.length];
    if (!server) throw new Error('a sample without servers');
    return { ...server, name: `${server.name}-${index}` };
  });
  return { ...configuration, clients: [{ ...client, files, servers }] };
}
