import type { ListChange, ListKind, ServerId } from '@/backend/bindings';
import { Facts, Section } from '@/components/Section';
import { visibleText } from '@/lib/visible-text';
import { useLists } from '@/state/calls/lists';
import { LIST_NAMES, LISTS } from './texts';

const KINDS: readonly ListKind[] = ['tools', 'resources', 'resourceTemplates', 'prompts'];

/** The server's lists: how many items each has, how many cannot be used, how long it stays so. */
export function Lists({ server }: { server: ServerId }) {
  const lists = useLists((state) => state.byServer[server]);
  const offered = KINDS.flatMap((kind) => lists?.[kind] ?? []).filter(
    ({ state }) => state.type !== 'unsupported',
  );
  if (offered.length === 0) return null;
  return (
    <Section title={LISTS.title}>
      <Facts
        facts={offered.map((list) => [
          LIST_NAMES[list.list],
          <Summary key="summary" list={list} />,
        ])}
      />
    </Section>
  );
}

function Summary({ list }: { list: ListChange }) {
  const { state, count, problems, freshFor, warning } = list;
  return (
    <>
      {LISTS.items(count)}
      {problems > 0 && <span className="medium bad">, {LISTS.unusable(problems)}</span>}
      {freshFor !== null && <span className="regular remark"> {LISTS.cached(freshFor)}</span>}
      {warning !== null && <span className="medium bad"> {visibleText(warning)}</span>}
      {state.type === 'failed' && (
        <span className="medium bad"> {LISTS.incomplete(visibleText(state.message))}</span>
      )}
    </>
  );
}
