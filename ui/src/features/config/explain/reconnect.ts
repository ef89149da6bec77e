import type { Backend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';

/** Ends a connection and makes it anew, as the files now say. */
export async function reconnect(backend: Backend, server: ServerView): Promise<void> {
  await backend.disconnect(server.id);
  await backend.connect(server.id);
}
