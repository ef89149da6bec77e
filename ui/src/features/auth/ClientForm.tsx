import { useState } from 'react';
import type {
  AuthMode,
  AuthSettings,
  AuthSettingsView,
  AuthView,
  ClientAuthMethod,
  SettingSecret,
} from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Section } from '@/components/Section';
import { Select } from '@/components/Select';
import { Switch } from '@/components/Switch';
import { TextField } from '@/components/TextField';
import { readScopes } from '@/lib/scopes';
import { showError, showNote } from '@/state/notices';
import styles from './auth.module.css';
import {
  type AddressField,
  type ClientDraft,
  draftOf,
  draftProblems,
  secretKey,
  settingsOf,
} from './client-draft';

const MODES: readonly { value: AuthMode | 'auto'; label: string; detail: string }[] = [
  {
    value: 'auto',
    label: 'As the server asks',
    detail: 'You sign in, unless its entry has an Authorization header',
  },
  { value: 'oauth', label: 'Sign in', detail: 'You sign in with your browser (OAuth 2.1)' },
  { value: 'bearer', label: 'Fixed token', detail: 'Every request carries the same token' },
  {
    value: 'client_credentials',
    label: 'Client credentials',
    detail: 'Sightglass signs in as itself, without a person',
  },
  {
    value: 'enterprise',
    label: 'Enterprise-managed',
    detail: 'The identity provider of your company vouches for you',
  },
  {
    value: 'workload',
    label: 'Workload identity',
    detail: 'The platform that Sightglass runs on vouches for it',
  },
  { value: 'off', label: 'Off', detail: 'A 401 is a failure like any other' },
];

const METHODS: readonly { value: ClientAuthMethod | 'auto'; label: string; detail?: string }[] = [
  { value: 'auto', label: 'As the server supports' },
  { value: 'none', label: 'None', detail: 'A public client, with PKCE alone' },
  { value: 'client_secret_basic', label: 'Secret in the header', detail: 'client_secret_basic' },
  { value: 'client_secret_post', label: 'Secret in the form', detail: 'client_secret_post' },
  { value: 'private_key_jwt', label: 'Signed with a key', detail: 'private_key_jwt' },
];

const ENDPOINTS: readonly { field: AddressField; label: string; annotation: string }[] = [
  { field: 'resource_metadata', label: 'Resource metadata', annotation: 'RFC 9728' },
  { field: 'issuer', label: 'Issuer', annotation: 'issuer' },
  { field: 'server_metadata', label: 'Server metadata', annotation: 'RFC 8414 or OpenID' },
  { field: 'authorization_endpoint', label: 'Authorization', annotation: 'authorization_endpoint' },
  { field: 'token_endpoint', label: 'Token', annotation: 'token_endpoint' },
  { field: 'registration_endpoint', label: 'Registration', annotation: 'registration_endpoint' },
  { field: 'revocation_endpoint', label: 'Revocation', annotation: 'revocation_endpoint' },
];

/** The fields that hold text. */
type TextName = {
  [Name in keyof ClientDraft]: string extends ClientDraft[Name] ? Name : never;
}[keyof ClientDraft];

interface Props {
  view: AuthView;
  loaded: AuthSettingsView;
  onSave(settings: AuthSettings, secrets: [SettingSecret, string | null][]): Promise<void>;
}

type Secrets = ReadonlyMap<string, [SettingSecret, string | null]>;

/** The settings of signing in to one server, by hand. What stays empty is found out. */
export function ClientForm({ view, loaded, onSave }: Props) {
  const [draft, setDraft] = useState(() => draftOf(loaded.settings));
  const [secrets, setSecrets] = useState<Secrets>(new Map());
  const [isSaving, setSaving] = useState(false);
  const problems = draftProblems(draft);
  const isChanged =
    secrets.size > 0 ||
    JSON.stringify(settingsOf(draft)) !== JSON.stringify(settingsOf(draftOf(loaded.settings)));
  const isReady = isChanged && Object.keys(problems).length === 0 && !isSaving;
  const set = (changed: Partial<ClientDraft>) => setDraft({ ...draft, ...changed });
  const save = () => {
    setSaving(true);
    onSave(settingsOf(draft), [...secrets.values()])
      .then(() => showNote('Saved. The next sign-in uses it.'), showError)
      .finally(() => setSaving(false));
  };
  const fallback = draftOf(loaded.configured);

  const text = (
    field: TextName,
    label: string,
    rest: { annotation?: string; description?: string; placeholder?: string } = {},
  ) => (
    <TextField
      key={field}
      label={label}
      mono
      value={draft[field]}
      error={problems[field]}
      onChange={(value) => set({ [field]: value })}
      {...rest}
      placeholder={fallback[field] || rest.placeholder}
    />
  );
  const secret = (of: SettingSecret, label: string, rest: { lines?: number } = {}) => (
    <SecretField
      key={secretKey(of)}
      label={label}
      isKept={loaded.kept.some((kept) => secretKey(kept) === secretKey(of))}
      change={secrets.get(secretKey(of))?.[1]}
      onChange={(value) => {
        const next = new Map(secrets);
        if (value === undefined) next.delete(secretKey(of));
        else next.set(secretKey(of), [of, value]);
        setSecrets(next);
      }}
      place={view.vault.kind}
      {...rest}
    />
  );
  const mode =
    draft.mode ?? loaded.configured.mode ?? (view.mode === 'bearer' ? 'bearer' : 'oauth');
  const isPerson = mode === 'oauth';
  const usesClient = mode !== 'off' && mode !== 'bearer';

  return (
    <div className={styles.pane}>
      <div className={styles.scroll}>
        <Section title="How to sign in">
          <div className={styles.form}>
            <Select
              label="Way"
              choices={MODES}
              value={draft.mode ?? 'auto'}
              onChange={(value) => set({ mode: value === 'auto' ? null : value })}
            />
            {usesClient &&
              text('scopes', 'Scopes', {
                annotation: 'apart by spaces',
                placeholder: 'what the server asks for',
              })}
            {isPerson &&
              text('callback_port', 'Callback port', {
                annotation: '127.0.0.1',
                placeholder: 'any that is free',
              })}
            {mode === 'bearer' &&
              text('bearer_variable', 'Environment variable', { placeholder: 'MY_TOKEN' })}
            {mode === 'bearer' && secret({ kind: 'bearer' }, 'Token')}
          </div>
        </Section>
        {usesClient && (
          <Section title="Client">
            <p className={styles.prose}>
              Leave this empty to have Sightglass register itself. Fill it in where you were given a
              client id.
            </p>
            <div className={styles.form}>
              {text('client_id', 'Client id')}
              <Select
                label="Proves itself by"
                choices={METHODS}
                value={draft.auth_method ?? 'auto'}
                onChange={(value) => set({ auth_method: value === 'auto' ? null : value })}
              />
              {draft.auth_method !== 'none' &&
                draft.auth_method !== 'private_key_jwt' &&
                secret({ kind: 'client_secret' }, 'Client secret')}
              {draft.auth_method === 'private_key_jwt' &&
                text('key_id', 'Key id', { annotation: 'kid' })}
              {draft.auth_method === 'private_key_jwt' &&
                secret({ kind: 'private_key' }, 'Private key', { lines: 4 })}
              {text('client_metadata_url', 'Client metadata document', {
                annotation: 'https address',
                description:
                  'A JSON document that you host, with http://127.0.0.1/callback among its redirect_uris. Servers that read such documents know Sightglass by its address, and nobody has to register.',
              })}
            </div>
          </Section>
        )}
        {mode === 'enterprise' && (
          <Section title="Identity provider">
            <div className={styles.form}>
              {text('idp_token_endpoint', 'Token endpoint of the identity provider')}
              {text('idp_client_id', 'Client id there')}
              {secret({ kind: 'idp_client_secret' }, 'Client secret there')}
              {secret({ kind: 'id_token' }, 'Your ID token', { lines: 3 })}
            </div>
          </Section>
        )}
        {mode === 'workload' && (
          <Section title="Platform">
            <div className={styles.form}>
              {secret({ kind: 'assertion' }, 'Signed statement of the platform', { lines: 3 })}
            </div>
          </Section>
        )}
        {usesClient && (
          <Section title="Endpoints by hand">
            <p className={styles.prose}>
              For a deployment whose metadata is wrong or missing. Each is used in place of what
              discovery finds.
            </p>
            <div className={styles.form}>
              {ENDPOINTS.map(({ field, label, annotation }) => text(field, label, { annotation }))}
            </div>
          </Section>
        )}
        <Section title="Secret headers">
          <div className={styles.form}>
            {text('secret_headers', 'Names of headers', {
              annotation: 'apart by spaces',
              placeholder: 'X-Api-Key',
              description: 'Sent with every request. Their values are kept with the other secrets.',
            })}
            {readScopes(draft.secret_headers).map((name) => secret({ kind: 'header', name }, name))}
          </div>
        </Section>
        {isPerson && (
          <Section title="Unsafe">
            <Unsafe
              isOn={draft.allow_missing_s256}
              why="without PKCE, whoever gets hold of the code can sign in as you."
              onChange={(allow_missing_s256) => set({ allow_missing_s256 })}
            >
              Go on when the server does not say that it supports PKCE with S256
            </Unsafe>
            <Unsafe
              isOn={draft.allow_other_audience}
              why="a token that was made for another server may be passed on to it."
              onChange={(allow_other_audience) => set({ allow_other_audience })}
            >
              Use a token that was made for another server
            </Unsafe>
          </Section>
        )}
      </div>
      <footer className={styles.foot}>
        <span className={styles.remark}>
          {isChanged ? 'Not saved yet' : `Kept for ${view.origin} alone`}
        </span>
        <Button
          isDisabled={!isChanged || isSaving}
          onPress={() => {
            setDraft(draftOf(loaded.settings));
            setSecrets(new Map());
          }}
        >
          Revert
        </Button>
        <Button variant="primary" isDisabled={!isReady} onPress={save}>
          Save
        </Button>
      </footer>
    </div>
  );
}

interface UnsafeProps {
  isOn: boolean;
  /** The consequence. */
  why: string;
  onChange(isOn: boolean): void;
  children: string;
}

/** An exception from a check, which only the user can make. */
function Unsafe({ isOn, why, onChange, children }: UnsafeProps) {
  return (
    <div>
      <Switch isSelected={isOn} onChange={onChange}>
        {children}
      </Switch>
      <p className={isOn ? styles.unsafe : styles.remark}>
        {isOn && <span aria-hidden="true">▲ </span>}
        Unsafe: {why} Only for servers that you run yourself.
      </p>
    </div>
  );
}

interface SecretFieldProps {
  label: string;
  isKept: boolean;
  /** The change: none yet, a new value, or null to forget the kept one. */
  change: string | null | undefined;
  lines?: number;
  place: AuthView['vault']['kind'];
  onChange(value: string | null | undefined): void;
}

/** A secret goes in and never comes back. */
function SecretField({ label, isKept, change, lines, place, onChange }: SecretFieldProps) {
  const where = { keychain: 'your keychain', file: 'a file of yours', memory: 'memory' }[place];
  const kept = change === null ? 'is forgotten when you save' : `kept in ${where}`;
  return (
    <div className={styles.secret}>
      <TextField
        label={label}
        annotation={isKept ? kept : undefined}
        mono
        lines={lines}
        type={lines === undefined ? 'password' : undefined}
        value={change ?? ''}
        placeholder={isKept && change !== null ? '••••••••' : undefined}
        onChange={(value) => onChange(value === '' ? undefined : value)}
      />
      {isKept && (
        <Button variant="quiet" onPress={() => onChange(change === null ? undefined : null)}>
          {change === null ? 'Keep' : 'Forget'}
        </Button>
      )}
    </div>
  );
}
