import { useEffect, useState } from 'react';
import { create } from 'zustand';
import type { ListKind, ServerId } from '@/backend/bindings';

/** The item whose definition is to be shown, with what changed in it. */
interface AskedDefinition {
  readonly server: ServerId;
  readonly list: ListKind;
  readonly name: string;
}

const useAsked = create<{ asked: AskedDefinition | null }>(() => ({ asked: null }));

/** Has the detail of an item show its definition once it is open. */
export function askForDefinition(server: ServerId, list: ListKind, name: string): void {
  useAsked.setState({ asked: { server, list, name } });
}

/** Returns if the definition of an item is shown, and what changes that. */
export function useShowsDefinition(server: ServerId, list: ListKind, name: string) {
  const [shows, setShows] = useState(false);
  const asked = useAsked((state) => state.asked);
  const isAsked = asked?.server === server && asked.list === list && asked.name === name;
  useEffect(() => {
    if (!isAsked) return;
    setShows(true);
    useAsked.setState({ asked: null });
  }, [isAsked]);
  return [shows, setShows] as const;
}
