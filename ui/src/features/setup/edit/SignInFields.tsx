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
  const set = (changed: Partial<SignInForm>) => onChange({ ...value, ...changed });
  const text = (
    field: Exclude<keyof SignInForm, 'way'>,
    label: string,
    rest: { placeholder: string; hint?: string },
  ) => (
    <TextField
      key={field}
      label={label}
      mono
      isDisabled={isReadOnly}
      placeholder={rest.placeholder}
      error={
        isUsed(field)
          ? (errors[field as keyof FormErrors] ?? findingOf(check, `signIn.${field}`, 'error'))
          : undefined
      }
      description={findingOf(check, `signIn.${field}`, 'warning') ?? rest.hint}
      value={value[field]}
      onBlur={() => touch(field)}
      onChange={(typed) => set({ [field]: typed })}
    />
  );
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
              {can.clientId &&
                text('clientId', SIGN_IN.clientId, { placeholder: SIGN_IN.registered })}
              {can.scopes && text('scopes', SIGN_IN.scopes, { placeholder: SIGN_IN.asAsked })}
              {can.callbackPort &&
                text('callbackPort', SIGN_IN.port, { placeholder: SIGN_IN.anyPort })}
              {can.clientMetadataUrl &&
                text('clientMetadataUrl', SIGN_IN.metadata, { placeholder: 'https://' })}
            </div>
          </>
        )}
        {value.way === 'bearer' &&
          text('bearerVariable', SIGN_IN.tokenVariable, {
            placeholder: 'API_TOKEN',
            hint: SIGN_IN.tokenHint,
          })}
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
