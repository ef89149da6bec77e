import { ListBox, ListBoxItem, Text } from 'react-aria-components';
import type { RegistryServer } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Confirmed } from '@/components/Confirmed';
import { EmptyState } from '@/components/EmptyState';
import { SearchField } from '@/components/SearchField';
import { entirelyVisible, entirelyVisibleLines } from '@/lib/visible-text';
import styles from './registry.module.css';
import { REGISTRY } from './texts';
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
    <div className="stack gap-4 min-w-0">
      <SearchField
        label={REGISTRY.search}
        placeholder={REGISTRY.searchHint}
        autoFocus
        value={text}
        onChange={onSearch}
      />
      <p role="status" className={styles.status}>
        {isLoading ? REGISTRY.asking : problem ? '' : REGISTRY.count(servers.length, hasMore)}
      </p>
      {problem && !isLoading ? (
        <div role="alert">
          <EmptyState
            title={isOffline ? REGISTRY.unreachable : REGISTRY.noList}
            action={
              <span className="flex gap-4">
                <Button variant="primary" onPress={onPaste}>
                  {REGISTRY.paste}
                </Button>
                <Button onPress={retry}>{REGISTRY.retry}</Button>
              </span>
            }
          >
            <p>{entirelyVisible(problem.message)}</p>
            {problem.hint && <p>{entirelyVisible(problem.hint)}</p>}
            <p>
              {REGISTRY.without[0]}
              <code>server.json</code>
              {REGISTRY.without[1]}
            </p>
          </EmptyState>
        </div>
      ) : (
        servers.length > 0 && (
          <ListBox
            aria-label={REGISTRY.servers}
            className="stack overflow-hidden frame-field"
            items={servers.map((server) => ({ id: server.name, server }))}
            selectionMode="single"
            onAction={(key) => {
              const chosen = servers.find(({ name }) => name === key);
              if (chosen) onChoose(chosen);
            }}
          >
            {({ server }) => (
              <ListBoxItem
                textValue={entirelyVisible(server.title ?? server.name)}
                className={styles.item}
              >
                <span className="row-baseline gap-4 min-w-0">
                  <Text slot="label" className={styles.title}>
                    {entirelyVisible(server.title ?? server.name)}
                  </Text>
                  {server.title !== null && (
                    <Confirmed className={styles.name} text={server.name} />
                  )}
                  <Confirmed className="flex-none push remark" text={server.version} />
                  {server.status !== null && server.status !== 'active' && (
                    <em className={styles.status}>{entirelyVisible(server.status)}</em>
                  )}
                </span>
                <Text slot="description" className="truncate remark">
                  {entirelyVisibleLines(server.description)}
                </Text>
              </ListBoxItem>
            )}
          </ListBox>
        )
      )}
      {!problem && !isLoading && servers.length === 0 && (
        <EmptyState title={REGISTRY.none}>{REGISTRY.noneHint}</EmptyState>
      )}
      {!problem && hasMore && servers.length > 0 && (
        <Button className={styles.more} isDisabled={isLoading} onPress={loadMore}>
          {REGISTRY.more}
        </Button>
      )}
    </div>
  );
}
