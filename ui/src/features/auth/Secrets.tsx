import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { VaultKind, VaultView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Facts, Section } from '@/components/Section';
import { showError, showNote } from '@/state/notices';
import styles from './auth.module.css';

const MOVES: Record<VaultKind, string> = {
  keychain: 'Move to the keychain',
  file: 'Move to a file',
  memory: 'Keep in memory only',
};

/** The place in which tokens and client secrets are kept. */
export function Secrets({ vault }: { vault: VaultView }) {
  const backend = useBackend();
  const [isMoving, setMoving] = useState(false);
  const target = vault.can_move_to;
  const move = (to: VaultKind) => {
    setMoving(true);
    backend
      .moveSecrets(to)
      .then(() => showNote('Moved every secret.'), showError)
      .finally(() => setMoving(false));
  };
  return (
    <Section
      title="Where secrets are kept"
      aside={
        target && (
          <Button isDisabled={isMoving} onPress={() => move(target)}>
            {MOVES[target]}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          ['Place', placeText(vault)],
          ['File', vault.path && <code key="path">{vault.path}</code>],
        ]}
      />
      {vault.waiting_since !== null && (
        <p className={styles.prose}>
          It is locked. Unlock it in the window that it has opened; nothing times out meanwhile.
        </p>
      )}
      {vault.problem && (
        <p className={styles.prose}>
          <span className={styles.warn} aria-hidden="true">
            ▲
          </span>{' '}
          {vault.problem}
        </p>
      )}
    </Section>
  );
}

function placeText({ kind, label }: VaultView): string {
  switch (kind) {
    case 'keychain':
      return `${label}, the keychain of this computer`;
    case 'file':
      return 'A file that only you can read';
    case 'memory':
      return 'In memory: signed out when Sightglass ends';
  }
}
