import { useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { EraChoice, RemoteTransport, Scope, ServerId } from '@/backend/bindings';
import { Button } from '@/components/button';
import { Dialog } from '@/components/dialog';
import { TextField } from '@/components/fields';
import { Segmented } from '@/components/segmented';
import { Select } from '@/components/select';
import { showError, showNote } from '@/components/toast';
import { useDialogs } from '@/state/dialogs';
import { useNavigation } from '@/state/navigation';
import { useServer, useServers } from '@/state/servers';
import { readPasted } from './command-line';
import styles from './config.module.css';
import { DiffView } from './DiffView';
import { draftOf, EMPTY, errorsOf, type Form, formOf, withAddress, withCommandLine } from './draft';
import { ListField, NamedRowsField } from './RowsField';
import { usePlan } from './use-plan';

const ERAS: readonly { value: EraChoice; label: string; detail: string }[] = [
  { value: 'auto', label: 'Auto', detail: 'Tries the stateless protocol, then initialize' },
  { value: 'modern', label: 'Modern', detail: 'The stateless protocol of 2026-07-28 only' },
  { value: 'legacy', label: 'Legacy', detail: 'The initialize handshake only' },
];

const TRANSPORTS: readonly { value: RemoteTransport; label: string; detail: string }[] = [
  { value: 'auto', label: 'Auto', detail: 'Streamable HTTP, then Server-Sent Events' },
  { value: 'http', label: 'HTTP', detail: 'Streamable HTTP only' },
  { value: 'sse', label: 'SSE', detail: 'HTTP with Server-Sent Events, of 2024-11-05' },
  { value: 'web_socket', label: 'WebSocket', detail: 'Subprotocol mcp' },
];

/** Scopes that a person's own servers go to. */
const OWN: readonly Scope[] = ['project', 'local', 'project_root', 'user'];

interface ServerDialogProps {
  server: ServerId | null;
  /** Of a certificate that is about to be accepted. */
  fingerprint?: string | undefined;
}

/** Adds a server, or edits one, and shows what that does to its file before it is written. */
export function ServerDialog({ server: id, fingerprint }: ServerDialogProps) {
  const backend = useBackend();
  const close = useDialogs((state) => state.close);
  const server = useServer(id);
  const [form, setForm] = useState<Form | null>(id === null ? EMPTY : null);
  const scope = server?.scope ?? 'project';

  useEffect(() => {
    if (id === null) return;
    let isCurrent = true;
    backend
      .serverDraft(id)
      .then((draft) => {
        if (!isCurrent) return;
        const form = formOf(draft, scope);
        setForm(fingerprint ? { ...form, fingerprint } : form);
      })
      .catch((reason) => {
        close();
        showError(reason);
      });
    return () => {
      isCurrent = false;
    };
  }, [backend, id, scope, fingerprint, close]);

  if (!form) return null;
  return <FormDialog id={id} form={form} onChange={setForm} />;
}

interface FormDialogProps {
  id: ServerId | null;
  form: Form;
  onChange: (form: Form) => void;
}

function FormDialog({ id, form, onChange }: FormDialogProps) {
  const backend = useBackend();
  const close = useDialogs((state) => state.close);
  // Complaints about a field wait until its first use, or the first try to save.
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [saving, setSaving] = useState(false);
  const errors = errorsOf(form);
  const isComplete = Object.keys(errors).length === 0;
  const { plan, problem } = usePlan(isComplete ? form : null, id);
  const touch = (field: string) => setTouched(new Set([...touched, field]));
  const errorOf = (field: keyof typeof errors) => (touched.has(field) ? errors[field] : undefined);
  const change = (changed: Partial<Form>) => onChange({ ...form, ...changed });

  const save = async () => {
    setTouched(new Set(['name', 'command', 'url']));
    if (!isComplete) return;
    setSaving(true);
    try {
      const saved = await backend.saveServer(draftOf(form), form.scope, id);
      close();
      useNavigation.getState().open({ server: saved, tab: 'overview' });
      showNote(id === null ? `Added ${form.name.trim()}` : `Saved ${form.name.trim()}`);
    } catch (reason) {
      setSaving(false);
      showError(reason);
    }
  };

  return (
    <Dialog
      title={id === null ? 'Add server' : `Edit ${form.name || 'server'}`}
      isOpen
      width="wide"
      onClose={close}
      footer={
        <>
          <Button onPress={close}>Cancel</Button>
          <Button variant="primary" isDisabled={saving} onPress={save}>
            Save
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <div className={styles.pair}>
          <TextField
            label="Name"
            autoFocus
            value={form.name}
            error={errorOf('name')}
            onBlur={() => touch('name')}
            onChange={(name) => change({ name })}
          />
          <ScopeField form={form} isFixed={id !== null} onChange={change} />
        </div>
        <div className={styles.kind}>
          <Segmented
            label="Kind of server"
            value={form.kind}
            onChange={(kind) => change({ kind })}
            segments={[
              { value: 'stdio', label: 'Command' },
              { value: 'remote', label: 'URL' },
            ]}
          />
        </div>
        {form.kind === 'stdio' ? (
          <StdioFields
            form={form}
            error={errorOf('command')}
            onBlur={() => touch('command')}
            onChange={onChange}
          />
        ) : (
          <RemoteFields
            form={form}
            error={errorOf('url')}
            onBlur={() => touch('url')}
            onChange={onChange}
          />
        )}
        <Select
          label="Protocol"
          className={styles.era}
          choices={ERAS}
          value={form.era}
          onChange={(era) => change({ era })}
        />
        {problem && (
          <p role="alert" className={styles.problem}>
            {problem.message} {problem.hint}
          </p>
        )}
        {plan ? (
          <>
            {plan.replaces && id === null && (
              <p className={styles.warning}>
                <span aria-hidden="true">▲ </span>
                This file has a server {form.name.trim()} already. Saving replaces it.
              </p>
            )}
            <DiffView plan={plan} />
          </>
        ) : (
          <p className={styles.remark}>What changes in the file shows here before it is written.</p>
        )}
      </div>
    </Dialog>
  );
}

interface ScopeFieldProps {
  form: Form;
  isFixed: boolean;
  onChange: (changed: Partial<Form>) => void;
}

function ScopeField({ form, isFixed, onChange }: ScopeFieldProps) {
  const files = useServers((state) => state.files);
  const offered = OWN.flatMap((scope) => files.find((file) => file.scope === scope) ?? []);
  const chosen = files.find((file) => file.scope === form.scope);
  return (
    <Select
      label="Saved in"
      isDisabled={isFixed}
      description={chosen && <code>{chosen.path}</code>}
      choices={(isFixed && chosen ? [chosen] : offered).map(({ scope, title, label, state }) => ({
        value: scope,
        label: `${title} · ${label}`,
        detail:
          state === 'broken' || state === 'unreadable' ? 'Cannot be read at present' : undefined,
      }))}
      value={form.scope}
      onChange={(scope) => onChange({ scope })}
    />
  );
}

interface EndpointFieldsProps {
  form: Form;
  error: string | undefined;
  onBlur: () => void;
  onChange: (form: Form) => void;
}

function StdioFields({ form, error, onBlur, onChange }: EndpointFieldsProps) {
  return (
    <>
      <TextField
        label="Command"
        mono
        description="A whole command line or an address can be pasted here."
        value={form.command}
        error={error}
        onBlur={onBlur}
        onChange={(command) => onChange({ ...form, command })}
        onPaste={(event) => {
          const pasted = readPasted(event.clipboardData.getData('text'));
          if (pasted.kind === 'text' || form.command.trim() !== '') return;
          event.preventDefault();
          onChange(
            pasted.kind === 'address'
              ? withAddress(form, pasted.url)
              : withCommandLine(form, pasted.line),
          );
        }}
      />
      <ListField
        label="Arguments"
        item="Argument"
        values={form.arguments}
        onChange={(values) => onChange({ ...form, arguments: values })}
      />
      <NamedRowsField
        label="Environment"
        item="Variable"
        rows={form.environment}
        onChange={(environment) => onChange({ ...form, environment })}
      />
      <TextField
        label="Working directory"
        mono
        placeholder="The project’s folder"
        value={form.workingDirectory}
        onChange={(workingDirectory) => onChange({ ...form, workingDirectory })}
      />
    </>
  );
}

function RemoteFields({ form, error, onBlur, onChange }: EndpointFieldsProps) {
  return (
    <>
      <TextField
        label="URL"
        mono
        placeholder="https://example.com/mcp"
        value={form.url}
        error={error}
        onBlur={onBlur}
        onChange={(url) => onChange({ ...form, url })}
      />
      <NamedRowsField
        label="Headers"
        item="Header"
        rows={form.headers}
        onChange={(headers) => onChange({ ...form, headers })}
      />
      <Select
        label="Transport"
        choices={TRANSPORTS}
        value={form.transport}
        onChange={(transport) => onChange({ ...form, transport })}
      />
      <TextField
        label="Certificate authorities"
        mono
        placeholder="Those of the system"
        description="A PEM file whose authorities count beside those of the system."
        value={form.caFile}
        onChange={(caFile) => onChange({ ...form, caFile })}
      />
      <TextField
        label="Accepted certificate"
        mono
        placeholder="Any that is valid"
        description="The SHA-256 fingerprint of the one certificate that the server must show."
        value={form.fingerprint}
        onChange={(fingerprint) => onChange({ ...form, fingerprint })}
      />
    </>
  );
}
