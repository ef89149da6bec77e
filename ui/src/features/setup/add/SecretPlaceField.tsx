import type { Target } from '@/backend/bindings';
import { Caution } from '@/components/Caution';
import { Segmented } from '@/components/Segmented';
import { clientOf, fileOf, readersOf, useConfiguration } from '@/state/setup/configuration';
import styles from './add.module.css';
import type { SecretPlace } from './inputs';
import { SECRETS } from './texts';

interface SecretPlaceFieldProps {
  value: SecretPlace;
  /** The file that the entry is saved in. */
  target: Target;
  onChange: (value: SecretPlace) => void;
}

/** Chooses the place of a server's secrets: the keychain, or its file as plain text. */
export function SecretPlaceField({ value, target, onChange }: SecretPlaceFieldProps) {
  const view = useConfiguration((state) => state.view);
  const path = fileOf(view, target)?.path;
  const others = path === undefined ? [] : readersOf(view, path).map(({ title }) => title);
  const client = clientOf(view, target.client)?.title ?? target.client;
  const isOwn = target.client === 'mcp-json';
  const caution =
    value === 'file'
      ? SECRETS.inFile
      : !isOwn
        ? SECRETS.foreign(client)
        : others.length > 0 && SECRETS.shared(others);
  return (
    <div className={styles.place}>
      <span className="medium" aria-hidden="true">
        {SECRETS.title}
      </span>
      <Segmented
        label={SECRETS.title}
        value={value}
        onChange={onChange}
        segments={[
          { value: 'keychain', label: SECRETS.keychain },
          { value: 'file', label: SECRETS.file },
        ]}
      />
      {caution ? (
        <Caution role="note" className={styles.caution}>
          {caution}
        </Caution>
      ) : (
        <p role="note" className={styles.remark}>
          {SECRETS.reference}
        </p>
      )}
    </div>
  );
}
