import { useState } from 'react';
import type { DraftCheck, SignInKeys } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Select } from '@/components/Select';
import { TextField } from '@/components/TextField';
import styles from './edit.module.css';
import { type FormErrors, findingOf, NO_SIGN_IN, type SignInForm, type SignInWay } from './form';
import { SIGN_IN } from './texts';

const WAYS = (['auto', 'bearer', 'off'] as const satisfies readonly SignInWay[]).map((value) => ({
  value,
  label: SIGN_IN.ways[value][0],
  detail: SIGN_IN.ways[value][1],
}));

/** The names of the fields in a draft. */
const DRAFT_FIELDS = {
  callbackPort: 'signIn.callbackPort',
  clientMetadataUrl: 'signIn.clientMetadataUrl',
  bearerVariable: 'signIn.bearerVariable',
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
      way === 'auto' || (way === 'off' ? can.off : can.bearerVariable) || way === value.way,
  );
  return (
    <details
      className={styles.more}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{SIGN_IN.title}</summary>
      <div className="stack gap-7">
        <Select
          label={SIGN_IN.way}
          className={styles.era}
          isDisabled={isReadOnly}
          choices={ways}
          value={value.way}
          onChange={(way) => set({ way })}
        />
        {value.way === 'auto' && (
          <>
            <p className="remark">{SIGN_IN.discovered}</p>
            <div className={styles.pair}>
              {can.clientId && (
                <TextField
                  label={SIGN_IN.clientId}
                  mono
                  isDisabled={isReadOnly}
                  placeholder={SIGN_IN.registered}
                  value={value.clientId}
                  onChange={(clientId) => set({ clientId })}
                />
              )}
              {can.scopes && (
                <TextField
                  label={SIGN_IN.scopes}
                  mono
                  isDisabled={isReadOnly}
                  placeholder={SIGN_IN.asAsked}
                  value={value.scopes}
                  onChange={(scopes) => set({ scopes })}
                />
              )}
              {can.callbackPort && (
                <TextField
                  label={SIGN_IN.port}
                  mono
                  isDisabled={isReadOnly}
                  placeholder={SIGN_IN.anyPort}
                  error={errorOf('callbackPort')}
                  description={warningOf('callbackPort')}
                  value={value.callbackPort}
                  onBlur={() => touch('callbackPort')}
                  onChange={(callbackPort) => set({ callbackPort })}
                />
              )}
              {can.clientMetadataUrl && (
                <TextField
                  label={SIGN_IN.metadata}
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
            label={SIGN_IN.tokenVariable}
            mono
            isDisabled={isReadOnly}
            placeholder="API_TOKEN"
            error={errorOf('bearerVariable')}
            description={warningOf('bearerVariable') ?? SIGN_IN.tokenHint}
            value={value.bearerVariable}
            onBlur={() => touch('bearerVariable')}
            onChange={(bearerVariable) => set({ bearerVariable })}
          />
        )}
        {onKeepToken && (
          <p className="row wrap justify-between gap-4 remark">
            <span>{SIGN_IN.keychain}</span>
            <Button onPress={onKeepToken}>{SIGN_IN.openAuth}</Button>
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
