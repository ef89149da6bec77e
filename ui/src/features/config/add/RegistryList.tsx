import { ListBox, ListBoxItem, Text } from 'react-aria-components';
import type { RegistryServer } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { SearchField } from '@/components/SearchField';
import styles from './registry.module.css';
import { useRegistrySearch } from './use-registry';

interface RegistryListProps {
  text: string;
  onSearch: (text: string) => void;
  onChoose: (server: RegistryServer) => void;
  /** Goes to where a server is added without the registry. */
  onPaste: () => void;
}

/** A search of the public registry of MCP servers. */
export function RegistryList({ text, onSearch, onChoose, onPaste }: RegistryListProps) {
  const { servers, isLoading, problem, hasMore, loadMore, retry } = useRegistrySearch(text);
  const isOffline = problem?.code === 'offline';
  return (
    <div className={styles.registry}>
      <SearchField
        label="Search the MCP registry"
        placeholder="Search the MCP registry by name"
        autoFocus
        value={text}
        onChange={onSearch}
      />
      <p role="status" className={styles.status}>
        {isLoading ? 'Asking the registry…' : problem ? '' : countText(servers.length, hasMore)}
      </p>
      {problem && !isLoading ? (
        <div role="alert">
          <EmptyState
            title={isOffline ? 'The registry cannot be reached' : 'The registry gave no list'}
            action={
              <span className={styles.actions}>
                <Button variant="primary" onPress={onPaste}>
                  Paste instead
                </Button>
                <Button onPress={retry}>Try again</Button>
              </span>
            }
          >
            <p>{problem.message}</p>
            {problem.hint && <p>{problem.hint}</p>}
            <p>
              A server can be added without the registry: paste its <code>server.json</code>, its
              package, its address, or the command line from its documentation.
            </p>
          </EmptyState>
        </div>
      ) : (
        servers.length > 0 && (
          <ListBox
            aria-label="Servers of the registry"
            className={styles.list}
            items={servers.map((server) => ({ id: server.name, server }))}
            selectionMode="single"
            onAction={(key) => {
              const chosen = servers.find(({ name }) => name === key);
              if (chosen) onChoose(chosen);
            }}
          >
            {({ server }) => (
              <ListBoxItem textValue={server.title ?? server.name} className={styles.item}>
                <span className={styles.head}>
                  <Text slot="label" className={styles.title}>
                    {server.title ?? server.name}
                  </Text>
                  {server.title !== null && <code className={styles.name}>{server.name}</code>}
                  <code className={styles.version}>{server.version}</code>
                </span>
                <Text slot="description" className={styles.description}>
                  {server.description}
                </Text>
              </ListBoxItem>
            )}
          </ListBox>
        )
      )}
      {!problem && !isLoading && servers.length === 0 && (
        <EmptyState title="No server of that name">
          The registry searches names only. Try a shorter part of it.
        </EmptyState>
      )}
      {!problem && hasMore && servers.length > 0 && (
        <Button className={styles.more} isDisabled={isLoading} onPress={loadMore}>
          Show more
        </Button>
      )}
    </div>
  );
}

function countText(count: number, hasMore: boolean): string {
  if (count === 0) return '';
  const text = count === 1 ? '1 server' : `${count} servers`;
  return hasMore ? `The first ${text}` : text;
}
