import { useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ConfigAction, Target } from '@/backend/bindings';
import { TextField } from '@/components/fields';
import { showError } from '@/components/toast';
import { clientOf, useConfiguration } from '@/state/configuration';
import { useNavigation } from '@/state/navigation';
import { ChangeDialog } from '../change/ChangeDialog';
import { TargetField } from '../change/TargetField';
import { draftOf, EMPTY, errorsOf, formOf } from '../edit/draft';
import { ServerForm } from '../edit/ServerForm';
import { useCheck } from '../edit/use-check';
import styles from './add.module.css';
import { type Recognised, recognise } from './recognise';
import { SeveralFound } from './SeveralFound';

const PROJECT: Target = { client: 'mcp-json', scope: 'project' };

/** Adds a server from whatever a person has: fields typed in, or something that was pasted. */
export function AddDialog({ target: given }: { target?: Target }) {
  const view = useConfiguration((state) => state.view);
  const [target, setTarget] = useState(given ?? PROJECT);
  const [form, setForm] = useState(EMPTY);
  const [pasted, setPasted] = useState('');
  const found = useRecognised(pasted);
  const check = useCheck(target, form, null);
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());

  // What was recognised fills the form; several servers are listed instead.
  const only = found?.drafts.length === 1 ? found.drafts[0] : undefined;
  useEffect(() => {
    if (only) setForm(formOf(only));
  }, [only]);

  const expresses = clientOf(view, target.client)?.expresses;
  const isComplete = Object.keys(errorsOf(form)).length === 0;
  const several = found && found.drafts.length > 1 ? found.drafts : null;
  const action: ConfigAction | null = several
    ? {
        kind: 'import',
        target,
        items: several
          .filter(({ name }) => !skipped.has(name))
          .map((draft) => ({ draft, conflict: 'keep_both' })),
      }
    : isComplete
      ? { kind: 'add', target, draft: draftOf(form) }
      : null;

  const saved = <TargetField label="Saved in" value={target} onChange={setTarget} />;

  return (
    <ChangeDialog
      title="Add server"
      verb="Save"
      action={action}
      placeholder="What changes in the file shows here before it is written."
      onApplied={() => {
        if (target.client !== 'mcp-json' || several) return;
        const { open } = useNavigation.getState();
        open({ server: `mcp-json:${form.name.trim()}`, tab: 'overview' });
      }}
    >
      <TextField
        label="Paste anything"
        lines={pasted.includes('\n') ? 6 : 2}
        mono
        placeholder="A JSON or TOML snippet, claude mcp add …, a URL, server.json, an npm or PyPI package"
        value={pasted}
        onChange={setPasted}
        description={found && <Found found={found} />}
      />
      {several ? (
        <>
          {saved}
          <SeveralFound drafts={several} skipped={skipped} onChange={setSkipped} />
        </>
      ) : (
        expresses && (
          <ServerForm
            form={form}
            check={check}
            expresses={expresses}
            besideName={saved}
            onChange={setForm}
          />
        )
      )}
    </ChangeDialog>
  );
}

/** What the pasted text was taken for. */
function Found({ found }: { found: Recognised }) {
  return (
    <span role="status" className={styles.found}>
      <span className={found.isUnderstood ? styles.good : styles.bad}>
        <span aria-hidden="true">{found.isUnderstood ? '✓ ' : '✕ '}</span>
        {found.words}
      </span>
      {found.notes.map((note) => (
        <span key={note}>{note}</span>
      ))}
    </span>
  );
}

/** What a text is, a moment after the last key; nothing for an empty one. */
function useRecognised(text: string): Recognised | null {
  const backend = useBackend();
  const [found, setFound] = useState<Recognised | null>(null);
  useEffect(() => {
    if (text.trim() === '') {
      setFound(null);
      return;
    }
    let isCurrent = true;
    const timer = setTimeout(() => {
      recognise(text, backend)
        .then((recognised) => {
          if (isCurrent) setFound(recognised);
        })
        .catch(showError);
    }, 150);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [backend, text]);
  return found;
}
