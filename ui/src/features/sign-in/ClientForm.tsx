import { useState } from 'react';
import type { AuthSettings, AuthSettingsView, AuthView, SettingSecret } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { NamedRowsField } from '@/components/rows-field/RowsField';
import { Section } from '@/components/Section';
import { Select } from '@/components/Select';
import { Switch } from '@/components/Switch';
import { TextField } from '@/components/TextField';
import { readScopes } from '@/lib/scopes';
import { showNote } from '@/state/notices';
import { useBusy } from '@/state/servers/attempt';
import styles from './auth.module.css';
import {
  type ClientDraft,
  draftOf,
  draftProblems,
  parameterProblem,
  secretKey,
  settingsOf,
} from './client-draft';
import { CLIENT, ENDPOINTS, ID_TOKEN_SOURCES, METHODS, MODES, PLACES } from './texts';

const ENDPOINT_FIELDS: readonly { field: keyof typeof ENDPOINTS; annotation: string }[] = [
  { field: 'resourceMetadata', annotation: 'RFC 9728' },
  { field: 'issuer', annotation: 'issuer' },
  { field: 'serverMetadata', annotation: 'RFC 8414 or OpenID' },
  { field: 'authorizationEndpoint', annotation: 'authorization_endpoint' },
  { field: 'tokenEndpoint', annotation: 'token_endpoint' },
  { field: 'registrationEndpoint', annotation: 'registration_endpoint' },
  { field: 'revocationEndpoint', annotation: 'revocation_endpoint' },
];

/** The fields that hold text. */
type TextName = {
  [Name in keyof ClientDraft]: string extends ClientDraft[Name] ? Name : never;
}[keyof ClientDraft];

interface Props {
  view: AuthView;
  loaded: AuthSettingsView;
  /** True to begin with a token of the user's: its mode is chosen, and its field has the focus. */
  entersToken?: boolean;
  /** Saves the settings, and returns them as they are stored. */
  onSave(settings: AuthSettings, secrets: [SettingSecret, string | null][]): Promise<AuthSettings>;
}

type Secrets = ReadonlyMap<string, [SettingSecret, string | null]>;

/** Leaves out what is as it was stored. */
function without(secrets: Secrets, stored: Secrets): Secrets {
  return new Map([...secrets].filter(([key, change]) => stored.get(key) !== change));
}

/** The settings of signing in to one server, by hand. What stays empty is found out. */
export function ClientForm({ view, loaded, entersToken = false, onSave }: Props) {
  const [draft, setDraft] = useState((): ClientDraft => {
    const kept = draftOf(loaded.settings);
    return entersToken ? { ...kept, mode: 'bearer' } : kept;
  });
  const [secrets, setSecrets] = useState<Secrets>(new Map());
  const { isBusy: isSaving, run } = useBusy();
  const problems = draftProblems(draft);
  const isChanged =
    secrets.size > 0 ||
    JSON.stringify(settingsOf(draft)) !== JSON.stringify(settingsOf(draftOf(loaded.settings)));
  const isReady = isChanged && Object.keys(problems).length === 0 && !isSaving;
  const set = (changed: Partial<ClientDraft>) => setDraft({ ...draft, ...changed });
  const save = async () => {
    const saved = await onSave(settingsOf(draft), [...secrets.values()]);
    // What is typed while it is saved stays a change.
    setDraft((later) => (later === draft ? draftOf(saved) : later));
    setSecrets((later) => without(later, secrets));
    showNote(CLIENT.saved);
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
  const secret = (
    of: SettingSecret,
    label: string,
    rest: { lines?: number; autoFocus?: boolean } = {},
  ) => (
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
  const signsInAtProvider = mode === 'enterprise' && draft.idTokenSource === 'signIn';
  const usesBrowser = isPerson || signsInAtProvider;
  const usesClient = mode !== 'off' && mode !== 'bearer';

  return (
    <div className={styles.pane}>
      <div className="fill h-full scroll">
        <Section title={CLIENT.how}>
          <div className={styles.form}>
            <Select
              label={CLIENT.way}
              choices={MODES}
              value={draft.mode ?? 'auto'}
              onChange={(value) => set({ mode: value === 'auto' ? null : value })}
            />
            {usesClient &&
              text('scopes', CLIENT.scopes, {
                annotation: CLIENT.separated,
                placeholder: CLIENT.serverScopes,
              })}
            {usesBrowser &&
              text('redirectUri', CLIENT.redirect, {
                annotation: CLIENT.redirectKind,
                placeholder: CLIENT.redirectExample,
                description: CLIENT.redirectMeaning,
              })}
            {usesBrowser &&
              text('callbackPort', CLIENT.port, {
                annotation: CLIENT.portHost,
                placeholder: CLIENT.anyPort,
              })}
            {mode === 'bearer' &&
              text('bearerVariable', CLIENT.variable, { placeholder: CLIENT.variableExample })}
            {mode === 'bearer' &&
              secret({ type: 'bearer' }, CLIENT.token, { autoFocus: entersToken })}
          </div>
        </Section>
        {usesClient && (
          <Section title={CLIENT.title}>
            <p className={styles.prose}>{CLIENT.meaning}</p>
            <div className={styles.form}>
              {text('clientId', CLIENT.id)}
              <Select
                label={CLIENT.method}
                choices={METHODS}
                value={draft.authMethod ?? 'auto'}
                onChange={(value) => set({ authMethod: value === 'auto' ? null : value })}
              />
              {draft.authMethod !== 'none' &&
                draft.authMethod !== 'private_key_jwt' &&
                secret({ type: 'clientSecret' }, CLIENT.secret)}
              {draft.authMethod === 'private_key_jwt' &&
                text('keyId', CLIENT.keyId, { annotation: CLIENT.keyIdField })}
              {draft.authMethod === 'private_key_jwt' &&
                secret({ type: 'privateKey' }, CLIENT.privateKey, { lines: 4 })}
              {text('clientMetadataUrl', CLIENT.document, {
                annotation: CLIENT.documentKind,
                placeholder: loaded.publishedClient ?? undefined,
                description: CLIENT.documentMeaning,
              })}
            </div>
          </Section>
        )}
        {usesClient && (
          <Section title={CLIENT.request}>
            <div>
              <Switch
                isSelected={!draft.omitResource}
                onChange={(isSent) => set({ omitResource: !isSent })}
              >
                {CLIENT.resource}
              </Switch>
              <p className="regular remark">
                {draft.omitResource ? CLIENT.resourceOmitted : CLIENT.resourceSent}
              </p>
            </div>
            {usesBrowser && (
              <div className={styles.parameters}>
                <NamedRowsField
                  label={CLIENT.parameters}
                  item={CLIENT.parameter}
                  rows={draft.authorizationParameters}
                  valuePlaceholder={CLIENT.parameterValue}
                  errorOf={(index) => parameterProblem(draft, index)}
                  onChange={(authorizationParameters) => set({ authorizationParameters })}
                />
                <p className="regular remark">{CLIENT.parametersMeaning}</p>
              </div>
            )}
          </Section>
        )}
        {mode === 'enterprise' && (
          <Section title={CLIENT.provider}>
            <div className={styles.form}>
              <Select
                label={CLIENT.idTokenSource}
                choices={ID_TOKEN_SOURCES}
                value={draft.idTokenSource}
                onChange={(idTokenSource) => set({ idTokenSource })}
              />
              {signsInAtProvider
                ? text('idpIssuer', CLIENT.providerIssuer, { placeholder: CLIENT.issuerExample })
                : text('idpTokenEndpoint', CLIENT.providerEndpoint)}
              {text('idpClientId', CLIENT.providerClient)}
              {secret({ type: 'idpClientSecret' }, CLIENT.providerSecret)}
              {!signsInAtProvider && secret({ type: 'idToken' }, CLIENT.idToken, { lines: 3 })}
            </div>
          </Section>
        )}
        {mode === 'workload' && (
          <Section title={CLIENT.platform}>
            <div className={styles.form}>
              {secret({ type: 'assertion' }, CLIENT.assertion, { lines: 3 })}
            </div>
          </Section>
        )}
        {usesClient && (
          <Section title={CLIENT.endpoints}>
            <p className={styles.prose}>{CLIENT.endpointsMeaning}</p>
            <div className={styles.form}>
              {ENDPOINT_FIELDS.map(({ field, annotation }) =>
                text(field, ENDPOINTS[field], { annotation }),
              )}
            </div>
          </Section>
        )}
        <Section title={CLIENT.headers}>
          <div className={styles.form}>
            {text('secretHeaders', CLIENT.headerNames, {
              annotation: CLIENT.separated,
              placeholder: CLIENT.headerExample,
              description: CLIENT.headersMeaning,
            })}
            {readScopes(draft.secretHeaders).map((name) => secret({ type: 'header', name }, name))}
          </div>
        </Section>
        {isPerson && (
          <Section title={CLIENT.unsafe}>
            <Unsafe
              isOn={draft.allowMissingS256}
              why={CLIENT.withoutPkceRisk}
              onChange={(allowMissingS256) => set({ allowMissingS256 })}
            >
              {CLIENT.withoutPkce}
            </Unsafe>
            <Unsafe
              isOn={draft.allowOtherAudience}
              why={CLIENT.otherAudienceRisk}
              onChange={(allowOtherAudience) => set({ allowOtherAudience })}
            >
              {CLIENT.otherAudience}
            </Unsafe>
          </Section>
        )}
      </div>
      <footer className={styles.foot}>
        <span className="regular remark">
          {isChanged ? CLIENT.notSaved : CLIENT.keptFor(view.origin)}
        </span>
        <Button
          isDisabled={!isChanged || isSaving}
          onPress={() => {
            setDraft(draftOf(loaded.settings));
            setSecrets(new Map());
          }}
        >
          {CLIENT.revert}
        </Button>
        <Button variant="primary" isDisabled={!isReady} onPress={() => void run(save)}>
          {CLIENT.save}
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
      <p className={isOn ? styles.unsafe : 'regular remark'}>
        {isOn && <span aria-hidden="true">▲ </span>}
        {CLIENT.risk(why)}
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
  autoFocus?: boolean;
  place: AuthView['vault']['kind'];
  onChange(value: string | null | undefined): void;
}

/** A secret goes in and never comes back. */
function SecretField(props: SecretFieldProps) {
  const { label, isKept, change, lines, autoFocus, place, onChange } = props;
  const kept = change === null ? CLIENT.removedOnSave : CLIENT.storedIn(PLACES[place]);
  return (
    <div className={styles.secret}>
      <TextField
        label={label}
        annotation={isKept ? kept : undefined}
        mono
        lines={lines}
        autoFocus={autoFocus}
        type={lines === undefined ? 'password' : undefined}
        value={change ?? ''}
        placeholder={isKept && change !== null ? '••••••••' : undefined}
        onChange={(value) => onChange(value === '' ? undefined : value)}
      />
      {isKept && (
        <Button variant="quiet" onPress={() => onChange(change === null ? undefined : null)}>
          {change === null ? CLIENT.keep : CLIENT.remove}
        </Button>
      )}
    </div>
  );
}
