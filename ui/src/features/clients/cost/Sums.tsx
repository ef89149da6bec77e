import { useMemo } from 'react';
import type { TokenCostView } from '@/backend/bindings';
import { Section } from '@/components/Section';
import { formatCount } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { serverSums, tokenText } from '@/state/clients/token-sums';
import { useSnapshot } from '@/state/snapshot';
import styles from '../clients.module.css';
import type { ClientScope } from '../scope';
import { COST } from '../texts';
import { shareText } from './cost-rows';
import { profileSums } from './cost-sums';

/** Cost of each server of a client, and of each profile. */
export function Sums({ scope, view }: { scope: ClientScope; view: TokenCostView }) {
  const profiles = useSnapshot((state) => state.settings.profiles);
  const { client, servers, connected } = scope;
  const byServer = useMemo(() => serverSums(view, servers), [view, servers]);
  const byProfile = useMemo(
    () => profileSums(byServer, { client: client.client, servers, connected }, profiles),
    [byServer, client.client, servers, connected, profiles],
  );
  return (
    <>
      <Section title={COST.byServer}>
        <SumTable
          label={COST.byServer}
          view={view}
          rows={byServer.map(({ id, ...sum }) => ({ key: id, ...sum }))}
        />
      </Section>
      <Section title={COST.byProfile}>
        {byProfile.length === 0 ? (
          <p className="remark">{COST.noProfile}</p>
        ) : (
          <SumTable
            label={COST.byProfile}
            view={view}
            rows={byProfile.map((sum) => ({
              key: sum.name,
              remark:
                sum.connected < sum.servers ? COST.connectedOf(sum.connected, sum.servers) : null,
              ...sum,
            }))}
          />
        )}
      </Section>
    </>
  );
}

interface SumRow {
  readonly key: string;
  readonly name: string;
  readonly remark?: string | null;
  readonly tools: number;
  readonly tokens: number;
}

interface SumTableProps {
  label: string;
  view: TokenCostView;
  rows: readonly SumRow[];
}

function SumTable({ label, view, rows }: SumTableProps) {
  const isExact = view.precision === 'exact';
  return (
    <table className={styles.figures} data-fills aria-label={label}>
      <thead>
        <tr>
          <td />
          <th scope="col">{COST.tokens}</th>
          <th scope="col">{COST.ofWindow(view.window)}</th>
          <th scope="col">{COST.tools}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, remark, tools, tokens }) => (
          <tr key={key}>
            <th scope="row">
              {visibleText(name)}
              {remark && (
                <span className={`break-anywhere selectable text-small remark block`}>
                  {remark}
                </span>
              )}
            </th>
            <td>{tokenText(tokens, isExact)}</td>
            <td>{shareText(Math.round((tokens * 1000) / view.window))}</td>
            <td>{formatCount(tools)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
