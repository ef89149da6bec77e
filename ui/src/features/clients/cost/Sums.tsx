import { useMemo } from 'react';
import type { TokenTableView } from '@/backend/bindings';
import { Section } from '@/components/Section';
import { visibleText } from '@/lib/visible-text';
import type { Sum } from '@/state/clients/token-sums';
import { serverSums } from '@/state/clients/token-sums';
import { useSnapshot } from '@/state/snapshot';
import type { ClientScope } from '../scope';
import { COST } from '../texts';
import { profileSums } from './cost-sums';
import { FigureTable } from './FigureTable';

/** Cost of each server of a client, and of each profile. */
export function Sums({ scope, view }: { scope: ClientScope; view: TokenTableView }) {
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

interface SumTableProps {
  label: string;
  view: TokenTableView;
  rows: readonly (Sum & { key: string; name: string; remark?: string | null })[];
}

function SumTable({ label, view, rows }: SumTableProps) {
  return (
    <FigureTable
      label={label}
      view={view}
      last={COST.tools}
      fills
      rows={rows.map(({ key, name, remark, tools, tokens }) => ({
        key,
        title: (
          <>
            {visibleText(name)}
            {remark && (
              <span className="break-anywhere selectable text-small remark block">{remark}</span>
            )}
          </>
        ),
        tokens,
        permille: Math.round((tokens * 1000) / view.window),
        last: tools,
      }))}
    />
  );
}
