import { create } from 'zustand';
import type { Backend } from '@/backend/backend';
import type { ServerId, ServerView } from '@/backend/bindings';

interface SubscriptionsState {
  /** Server, first connection and URI of each subscription. The backend subscribes again when a
   * lost connection comes back by itself; one that the user makes anew begins without. */
  open: ReadonlySet<string>;
}

const useStore = create<SubscriptionsState>(() => ({ open: new Set() }));

export function useSubscriptions(): ReadonlySet<string> {
  return useStore((state) => state.open);
}

function nameOf(server: ServerView, uri: string): string {
  return `${server.id}\n${server.status.firstConnection ?? ''}\n${uri}`;
}

export function isSubscribed(open: ReadonlySet<string>, server: ServerView, uri: string): boolean {
  return open.has(nameOf(server, uri));
}

export async function subscribe(backend: Backend, server: ServerView, uri: string): Promise<void> {
  await backend.subscribeResource(server.id, uri);
  useStore.setState(({ open }) => ({ open: new Set(open).add(nameOf(server, uri)) }));
}

export async function unsubscribe(
  backend: Backend,
  server: ServerView,
  uri: string,
): Promise<void> {
  await backend.unsubscribeResource(server.id, uri);
  useStore.setState(({ open }) => {
    const rest = new Set(open);
    rest.delete(nameOf(server, uri));
    return { open: rest };
  });
}

/** Forgets a subscription that the server refused to go on with. True where there was one. */
export function endSubscription(server: ServerId, uri: string): boolean {
  const { open } = useStore.getState();
  const rest = [...open].filter(
    (name) => !(name.startsWith(`${server}\n`) && name.endsWith(`\n${uri}`)),
  );
  if (rest.length === open.size) return false;
  useStore.setState({ open: new Set(rest) });
  return true;
}
