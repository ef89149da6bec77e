import type { ListChange, ListKind, ServerId } from '@/backend/bindings';
import { Facts, Section } from '@/components/Section';
import { formatDuration, formatQuantity } from '@/lib/format';
import { useLists } from '@/state/lists';
import styles from './overview.module.css';

const NAMES: Record<ListKind, string> = {
  tools: 'Tools',
  resources: 'Resources',
  resource_templates: 'Templates',
  prompts: 'Prompts',
};

const KINDS: readonly ListKind[] = ['tools', 'resources', 'resource_templates', 'prompts'];

/** The server's lists: how many items each has, how many cannot be used, how long it stays so. */
export function Lists({ server }: { server: ServerId }) {
  const lists = useLists((state) => state.byServer[server]);
  const offered = KINDS.flatMap((kind) => lists?.[kind] ?? []).filter(
    ({ state }) => state.state !== 'unsupported',
  );
  if (offered.length === 0) return null;
  return (
    <Section title="Lists">
      <Facts
        facts={offered.map((list) => [NAMES[list.list], <Summary key="summary" list={list} />])}
      />
    </Section>
  );
}

function Summary({ list }: { list: ListChange }) {
  const { state, count, problems, fresh_for: freshFor, warning } = list;
  return (
    <>
      {formatQuantity(count, 'item')}
      {problems > 0 && (
        <span className={styles.phaseFailed}>
          , {problems === 1 ? '1 cannot be used' : `${problems} cannot be used`} (marked in the
          list)
        </span>
      )}
      {freshFor !== null && (
        <span className={styles.remark}> cached for {formatDuration(freshFor)} (ttlMs)</span>
      )}
      {warning !== null && <span className={styles.phaseFailed}> {warning}</span>}
      {state.state === 'failed' && (
        <span className={styles.phaseFailed}> incomplete: {state.message}</span>
      )}
    </>
  );
}
