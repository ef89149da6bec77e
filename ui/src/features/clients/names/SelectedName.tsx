import { Copy } from 'lucide-react';
import type { QualifiedName } from '@/backend/bindings';
import { IconButton } from '@/components/Button';
import { CodeText } from '@/components/CodeText';
import { Section } from '@/components/Section';
import { copyText } from '@/lib/clipboard';
import { visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { cellText } from '../cells';
import styles from '../clients.module.css';
import { StatusMark } from '../StatusMark';
import { KINDS, NAME_WARNINGS, NAMES } from '../texts';

/** One name, with each of its warnings in full. */
export function SelectedName({ name }: { name: QualifiedName | null }) {
  if (!name) {
    return (
      <Section title={NAMES.selected}>
        <p className="remark">{NAMES.chooseOne}</p>
      </Section>
    );
  }
  const copy = () => copyText(name.name).then(() => showNote(NAMES.copied), showError);
  return (
    <Section
      title={NAMES.selected}
      aside={
        <IconButton label={NAMES.copy} onPress={() => void copy()}>
          <Copy size={13} aria-hidden="true" />
        </IconButton>
      }
    >
      <p className={styles.name}>{visibleText(name.name.slice(0, MAX_SHOWN))}</p>
      <p className="remark">
        {KINDS[name.kind]} {NAMES.of(cellText(name.item), cellText(name.server))}
      </p>
      {name.warnings.length === 0 ? (
        <p className="remark">{NAMES.fine}</p>
      ) : (
        <ul className={styles.lines}>
          {name.warnings.slice(0, MAX_WARNINGS).map(({ kind, text }) => (
            <li key={`${kind} ${text}`} className={styles.warning}>
              <StatusMark status={NAME_WARNINGS[kind]} />
              <p>
                <CodeText text={visibleText(text)} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Characters of a name, and warnings about it, that are drawn. */
const MAX_SHOWN = 2_000;
const MAX_WARNINGS = 20;
