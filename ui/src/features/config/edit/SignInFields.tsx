import { useState } from 'react';
import type { DraftCheck, SignInKeys } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Select } from '@/components/Select';
import { TextField } from '@/components/TextField';
import { type FormErrors, findingOf, NO_SIGN_IN, type SignInForm, type SignInWay } from './draft';
import styles from './edit.module.css';

const WAYS: readonly { value: SignInWay; label: string; detail: string }[] = [
  { value: 'auto', label: 'As the server asks', detail: 'You sign in with your browser (OAuth)' },
  { value: 'bearer', label: 'Fixed token', detail: 'From an environment variable' },
  { value: 'off', label: 'Never', detail: 'A 401 is a failure like any other' },
];

/** The names of the fields in a draft. */
const DRAFT_FIELDS = {
  callbackPort: 'sign_in.callback_port',
  clientMetadataUrl: 'sign_in.client_metadata_url',
  bearerVariable: 'sign_in.bearer_variable',
};

interface SignInFieldsProps {
  /** Null where the entry says nothing of signing in. */
  value: SignInForm | null;
  /** The keys that the client of the file can express. */
  can: SignInKeys;
  isReadOnly?: boolean;
  /** The errors that the form knows. */
  errors: FormErrors;
  /** The findings of the backend. */
  check: DraftCheck;
  /** Tells whether a field was used, so that its errors are shown. */
  isUsed: (field: string) => boolean;
  touch: (field: string) => void;
  onKeepToken?: () => void;
  onChange: (value: SignInForm) => void;
}

/** The fields of signing in to a remote server, as far as the file's client can express it. */
export function SignInFields(props: SignInFieldsProps) {
  const { can, isReadOnly, errors, check, isUsed, touch, onKeepToken, onChange } = props;
  const value = props.value ?? NO_SIGN_IN;
  const [isOpen, setOpen] = useState(() => hasContent(value));
  if (!Object.values(can).some(Boolean)) return null;
  const errorOf = (field: keyof typeof DRAFT_FIELDS) =>
    isUsed(field)
      ? (errors[field as keyof FormErrors] ?? findingOf(check, DRAFT_FIELDS[field], 'error'))
      : undefined;
  const warningOf = (field: keyof typeof DRAFT_FIELDS) =>
    findingOf(check, DRAFT_FIELDS[field], 'warning');
  const set = (changed: Partial<SignInForm>) => onChange({ ...value, ...changed });
  const ways = WAYS.filter(
    ({ value: way }) =>
      way === 'auto' || (way === 'off' ? can.off : can.bearer_variable) || way === value.way,
  );
  return (
    <details
      className={styles.more}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Signing in</summary>
      <div className={styles.moreFields}>
        <Select
          label="Way"
          className={styles.era}
          isDisabled={isReadOnly}
          choices={ways}
          value={value.way}
          onChange={(way) => set({ way })}
        />
        {value.way === 'auto' && (
          <>
            <p className={styles.remark}>
              What stays empty is found out and registered when you sign in.
            </p>
            <div className={styles.pair}>
              {can.client_id && (
                <TextField
                  label="Client id"
                  mono
                  isDisabled={isReadOnly}
                  placeholder="Registered when you sign in"
                  value={value.clientId}
                  onChange={(clientId) => set({ clientId })}
                />
              )}
              {can.scopes && (
                <TextField
                  label="Scopes"
                  mono
                  isDisabled={isReadOnly}
                  placeholder="Those that the server asks for"
                  value={value.scopes}
                  onChange={(scopes) => set({ scopes })}
                />
              )}
              {can.callback_port && (
                <TextField
                  label="Callback port"
                  mono
                  isDisabled={isReadOnly}
                  placeholder="Any that is free"
                  error={errorOf('callbackPort')}
                  description={warningOf('callbackPort')}
                  value={value.callbackPort}
                  onBlur={() => touch('callbackPort')}
                  onChange={(callbackPort) => set({ callbackPort })}
                />
              )}
              {can.client_metadata_url && (
                <TextField
                  label="Client ID Metadata Document"
                  mono
                  isDisabled={isReadOnly}
                  placeholder="https://"
                  error={errorOf('clientMetadataUrl')}
                  description={warningOf('clientMetadataUrl')}
                  value={value.clientMetadataUrl}
                  onBlur={() => touch('clientMetadataUrl')}
                  onChange={(clientMetadataUrl) => set({ clientMetadataUrl })}
                />
              )}
            </div>
          </>
        )}
        {value.way === 'bearer' && (
          <TextField
            label="Variable with the token"
            mono
            isDisabled={isReadOnly}
            placeholder="API_TOKEN"
            error={errorOf('bearerVariable')}
            description={
              warningOf('bearerVariable') ??
              'Its value is sent with every request, and stands in no file.'
            }
            value={value.bearerVariable}
            onBlur={() => touch('bearerVariable')}
            onChange={(bearerVariable) => set({ bearerVariable })}
          />
        )}
        {onKeepToken && (
          <p className={styles.aside}>
            <span>A token or a client secret can be kept in your keychain instead of a file.</span>
            <Button onPress={onKeepToken}>Open Auth</Button>
          </p>
        )}
      </div>
    </details>
  );
}

function hasContent(value: SignInForm): boolean {
  const { way, ...texts } = value;
  return way !== 'auto' || Object.values(texts).some((text) => text !== '');
}
