import { useServers } from '@/state/servers';

export function App() {
  const loaded = useServers((state) => state.loaded);
  return loaded ? <main /> : null;
}
