import { ChevronLeft } from 'lucide-react';
import { useState } from 'react';
import type { RegistryServer } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Caution } from '@/components/Caution';
import { Confirmed } from '@/components/Confirmed';
import { Select } from '@/components/Select';
import { formatDate } from '@/lib/format';
import { entirelyVisible, entirelyVisibleLines } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { useAddress } from '@/widgets/address/use-address';
import styles from './registry.module.css';
import { REGISTRY } from './texts';
import { useRegistryVersions } from './use-registry';

interface RegistryChoiceProps {
  server: RegistryServer;
  onBack: () => void;
  /** Another version was chosen. */
  onChoose: (server: RegistryServer) => void;
}

/** One server of the registry: what it says of itself, and which version is wanted. */
export function RegistryChoice({ server: first, onBack, onChoose }: RegistryChoiceProps) {
  const versions = useRegistryVersions(first);
  const [version, setVersion] = useState(first.version);
  const server = versions.find((one) => one.version === version) ?? first;
  const links = [
    [REGISTRY.repository, server.repository],
    [REGISTRY.website, server.website],
  ] as const;
  return (
    <div className="stack gap-4 min-w-0">
      <div className={styles.bar}>
        <Button variant="quiet" onPress={onBack}>
          <ChevronLeft size={14} aria-hidden="true" />
          {REGISTRY.results}
        </Button>
        <h3 className={styles.title}>{entirelyVisible(server.title ?? server.name)}</h3>
        {server.title !== null && <Confirmed className={styles.name} text={server.name} />}
      </div>
      <p className={styles.about} dir="auto">
        {entirelyVisibleLines(server.description)}
      </p>
      {server.status !== null && server.status !== 'active' && (
        <Caution role="note">
          {REGISTRY.marked(entirelyVisible(server.status))}
          {server.statusMessage !== null && ` ${entirelyVisible(server.statusMessage)}`}
        </Caution>
      )}
      <div className={styles.facts}>
        <Select
          label={REGISTRY.version}
          className={styles.versions}
          choices={versions.map((one) => ({
            value: one.version,
            label: versionLabel(one),
            detail: versionDetail(one),
          }))}
          value={server.version}
          onChange={(wanted) => {
            const chosen = versions.find((one) => one.version === wanted);
            if (!chosen) return;
            setVersion(wanted);
            onChoose(chosen);
          }}
        />
        {links.map(
          ([title, address]) =>
            address !== null && <PageLink key={title} title={title} address={address} />,
        )}
      </div>
    </div>
  );
}

/** A page that the publisher names. Its address is read before it is opened. */
function PageLink({ title, address }: { title: string; address: string }) {
  const { opened, shown, open } = useAddress(address);
  return (
    <span className="row-baseline gap-2 min-w-0">
      {opened === undefined ? (
        <span>{title}</span>
      ) : (
        <Button
          variant="quiet"
          className={styles.link}
          onPress={() => void open().catch(showError)}
        >
          {title} ↗
        </Button>
      )}
      <Confirmed className="min-w-0 remark" text={shown} />
    </span>
  );
}

function versionLabel({ version, latest }: RegistryServer): string {
  const shown = entirelyVisible(version);
  return latest ? REGISTRY.latest(shown) : shown;
}

function versionDetail({ status, published }: RegistryServer): string | undefined {
  const facts = [
    published === null ? null : REGISTRY.published(formatDate(Date.parse(published))),
    status === null || status === 'active' ? null : entirelyVisible(status),
  ].filter((word) => word !== null);
  return facts.length > 0 ? facts.join(', ') : undefined;
}
