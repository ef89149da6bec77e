import { useBackend } from '@/backend/backend';
import type { VaultKind, VaultView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Caution } from '@/components/Caution';
import { Facts, Section } from '@/components/Section';
import { showNote } from '@/state/notices';
import { useBusy } from '@/state/servers/attempt';
import styles from './auth.module.css';
import { MOVES, SECRETS } from './texts';

/** The place in which tokens and client secrets are kept. */
export function Secrets({ vault }: { vault: VaultView }) {
  const backend = useBackend();
  const { isBusy, run } = useBusy();
  const target = vault.canMoveTo;
  const move = async (to: VaultKind) => {
    await backend.moveSecrets(to);
    showNote(SECRETS.moved);
  };
  return (
    <Section
      title={SECRETS.title}
      aside={
        target && (
          <Button isDisabled={isBusy} onPress={() => void run(() => move(target))}>
            {MOVES[target]}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          [SECRETS.place, SECRETS.placeOf(vault)],
          [SECRETS.file, vault.path && <code key="path">{vault.path}</code>],
        ]}
      />
      {vault.waitingSince !== null && <p className={styles.prose}>{SECRETS.locked}</p>}
      {vault.problem && <Caution className={styles.prose}>{vault.problem}</Caution>}
    </Section>
  );
}
