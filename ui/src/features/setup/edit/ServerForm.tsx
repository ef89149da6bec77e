import { type ComponentProps, type ReactNode, useState } from 'react';
import type { ClientFields, DraftCheck, EraChoice, RemoteTransport } from '@/backend/bindings';
import { ListField, NamedRowsField } from '@/components/rows-field/RowsField';
import { Segmented } from '@/components/Segmented';
import { Select } from '@/components/Select';
import { TextField } from '@/components/TextField';
import { readPasted } from '../add/command-line';
import styles from './edit.module.css';
import {
  errorsOf,
  type Form,
  type FormErrors,
  findingOf,
  withAddress,
  withCommandLine,
} from './form';
import { SignInFields } from './SignInFields';
import { CERTIFICATES, ERAS, FORM, LIMITS, TRANSPORTS } from './texts';

/** Puts choices into the order in which they are offered. */
function choicesOf<T extends string>(
  order: readonly T[],
  texts: Readonly<Record<T, readonly [string, string]>>,
): { value: T; label: string; detail: string }[] {
  return order.map((value) => ({ value, label: texts[value][0], detail: texts[value][1] }));
}

const ERA_CHOICES = choicesOf<EraChoice>(['auto', 'modern', 'legacy'], ERAS);

const TRANSPORT_CHOICES = choicesOf<RemoteTransport>(
  ['auto', 'http', 'sse', 'webSocket'],
  TRANSPORTS,
);

interface ServerFormProps {
  form: Form;
  /** The findings of the backend. */
  check: DraftCheck;
  /** The fields that the client of the file can express; others are left out. */
  expresses: ClientFields;
  isReadOnly?: boolean;
  /** Stands beside the name. */
  besideName?: ReactNode;
  /** Leaves out the name, where it stands elsewhere. */
  hidesName?: boolean;
  /** Goes to where a token is put into the keychain. */
  onKeepToken?: () => void;
  onChange: (form: Form) => void;
}

/** A server's fields, as its transport has them. */
export function ServerForm(props: ServerFormProps) {
  const { form, expresses, isReadOnly, onChange } = props;
  // Complaints about a field wait until its first use, or the first try to save.
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const errors = errorsOf(form);
  const isLocalOnly = expresses.transports.every((transport) => transport === 'stdio');
  const isUsed = (field: string) => touched.has(field);
  const says: Says = {
    errorOf: (field) => {
      const error = isUsed(field) ? errors[field as keyof FormErrors] : undefined;
      // An address that is still being typed is wrong until it is whole.
      const isEarly = form[field as keyof Form] === '' || (field === 'url' && !isUsed(field));
      return error ?? (isEarly ? undefined : findingOf(props.check, field, 'error'));
    },
    warningOf: (field) => findingOf(props.check, field, 'warning'),
    touch: (field) => setTouched((before) => new Set([...before, field])),
  };
  const fields: FieldsProps = { ...props, says };
  return (
    <fieldset className={styles.fields} disabled={isReadOnly}>
      {!props.hidesName && (
        <div className={styles.pair}>
          <FormText of={fields} field="name" label={FORM.name} mono={false} />
          {props.besideName}
        </div>
      )}
      <div>
        <Segmented
          label={FORM.kind}
          value={form.kind}
          onChange={(kind) => onChange({ ...form, kind })}
          segments={[
            { value: 'stdio', label: FORM.command },
            { value: 'remote', label: FORM.url, isDisabled: isLocalOnly },
          ]}
        />
      </div>
      {form.kind === 'stdio' ? <StdioFields {...fields} /> : <RemoteFields {...fields} />}
      {expresses.era && (
        <Select
          label={FORM.protocol}
          className={styles.era}
          choices={ERA_CHOICES}
          value={form.era}
          onChange={(era) => onChange({ ...form, era })}
        />
      )}
      {form.kind === 'remote' && <Certificates {...fields} />}
      {form.kind === 'remote' && (
        <SignInFields
          value={form.signIn}
          can={expresses.signIn}
          isReadOnly={isReadOnly}
          errors={errors}
          check={props.check}
          isUsed={isUsed}
          touch={says.touch}
          onKeepToken={props.onKeepToken}
          onChange={(signIn) => onChange({ ...form, signIn })}
        />
      )}
      <LimitsAndTools {...fields} />
    </fieldset>
  );
}

interface Says {
  errorOf: (field: string) => string | undefined;
  warningOf: (field: string) => string | undefined;
  touch: (field: string) => void;
}

interface FieldsProps extends ServerFormProps {
  says: Says;
}

type TextName = {
  [Name in keyof Form]: string extends Form[Name] ? Name : never;
}[keyof Form];

interface FormTextProps extends Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> {
  of: FieldsProps;
  field: TextName;
}

/** A text of the form, with what is said of it. */
function FormText({ of, field, description, ...rest }: FormTextProps) {
  const { form, isReadOnly, says, onChange } = of;
  return (
    <TextField
      mono
      {...rest}
      isDisabled={isReadOnly}
      description={description ?? says.warningOf(field)}
      value={form[field]}
      error={says.errorOf(field)}
      onBlur={() => says.touch(field)}
      onChange={(text) => onChange({ ...form, [field]: text })}
    />
  );
}

function StdioFields(props: FieldsProps) {
  const { form, check, expresses, says, onChange } = props;
  const warning = says.warningOf('command');
  return (
    <>
      <FormText
        of={props}
        field="command"
        label={FORM.command}
        description={
          warning ? (
            <span className="warn">
              <span aria-hidden="true">▲ </span>
              {warning}
            </span>
          ) : check.program ? (
            <span className="remark">
              {FORM.foundAt} <code>{check.program}</code>
            </span>
          ) : (
            FORM.pasteHint
          )
        }
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
        label={FORM.arguments}
        item={FORM.argument}
        values={form.arguments}
        warningOf={(index) => says.warningOf(`arguments[${index}]`)}
        onChange={(values) => onChange({ ...form, arguments: values })}
      />
      <NamedRowsField
        label={FORM.environment}
        item={FORM.variable}
        rows={form.environment}
        errorOf={(index) => says.errorOf(`environment[${index}]`)}
        warningOf={(index) => says.warningOf(`environment[${index}]`)}
        onChange={(environment) => onChange({ ...form, environment })}
      />
      {expresses.workingDirectory && (
        <FormText
          of={props}
          field="workingDirectory"
          label={FORM.directory}
          placeholder={FORM.projectFolder}
        />
      )}
    </>
  );
}

function RemoteFields(props: FieldsProps) {
  const { form, expresses, isReadOnly, says, onChange } = props;
  return (
    <>
      <FormText of={props} field="url" label={FORM.url} placeholder="https://example.com/mcp" />
      {expresses.headers && (
        <NamedRowsField
          label={FORM.headers}
          item={FORM.header}
          rows={form.headers}
          errorOf={(index) => says.errorOf(`headers[${index}]`)}
          warningOf={(index) => says.warningOf(`headers[${index}]`)}
          onChange={(headers) => onChange({ ...form, headers })}
        />
      )}
      <Select
        label={FORM.transport}
        className={styles.era}
        isDisabled={isReadOnly}
        choices={TRANSPORT_CHOICES.filter(
          ({ value }) =>
            value === 'auto' || expresses.transports.includes(value === 'webSocket' ? 'ws' : value),
        )}
        value={form.transport}
        onChange={(transport) => onChange({ ...form, transport })}
      />
    </>
  );
}

/** Fields for servers whose certificates the system does not know. */
function Certificates(props: FieldsProps) {
  const { form } = props;
  return (
    <details className={styles.more} open={form.caFile !== '' || form.fingerprint !== ''}>
      <summary>{CERTIFICATES.title}</summary>
      <div className="stack gap-7">
        <FormText
          of={props}
          field="caFile"
          label={CERTIFICATES.authorities}
          placeholder={CERTIFICATES.ofSystem}
          description={CERTIFICATES.authoritiesHint}
        />
        <FormText
          of={props}
          field="fingerprint"
          label={CERTIFICATES.pinned}
          placeholder={CERTIFICATES.anyValid}
          description={CERTIFICATES.pinnedHint}
        />
      </div>
    </details>
  );
}

/** Fields that few servers need: time limits, and which tools are used. */
function LimitsAndTools(props: FieldsProps) {
  const { form, expresses, onChange } = props;
  const hasLimits = expresses.startupLimit || expresses.toolLimit || expresses.phaseLimits;
  const hasTools = expresses.enabledTools || expresses.disabledTools;
  if (!hasLimits && !hasTools) return null;
  const tools = form.tools ?? { enabled: [], disabled: [] };
  const isUsed =
    form.startupLimit !== '' ||
    form.toolLimit !== '' ||
    form.phaseLimits.length > 0 ||
    tools.enabled.length + tools.disabled.length > 0;
  return (
    <details className={styles.more} open={isUsed}>
      <summary>{hasTools ? LIMITS.titleWithTools : LIMITS.title}</summary>
      <div className="stack gap-7">
        <div className={styles.pair}>
          {expresses.startupLimit && <LimitText of={props} field="startupLimit" />}
          {expresses.toolLimit && <LimitText of={props} field="toolLimit" />}
        </div>
        {expresses.phaseLimits && (
          <NamedRowsField
            label={LIMITS.phases}
            item={LIMITS.phase}
            namePlaceholder={LIMITS.phaseHint}
            valuePlaceholder={LIMITS.seconds}
            rows={form.phaseLimits}
            onChange={(phaseLimits) => onChange({ ...form, phaseLimits })}
          />
        )}
        {expresses.enabledTools && (
          <ListField
            label={LIMITS.allow}
            item={LIMITS.allowed}
            values={tools.enabled}
            onChange={(enabled) => onChange({ ...form, tools: { ...tools, enabled } })}
          />
        )}
        {expresses.disabledTools && (
          <ListField
            label={LIMITS.deny}
            item={LIMITS.denied}
            values={tools.disabled}
            onChange={(disabled) => onChange({ ...form, tools: { ...tools, disabled } })}
          />
        )}
      </div>
    </details>
  );
}

function LimitText({ of, field }: { of: FieldsProps; field: 'startupLimit' | 'toolLimit' }) {
  return (
    <FormText
      of={of}
      field={field}
      label={field === 'startupLimit' ? LIMITS.start : LIMITS.call}
      annotation="seconds"
      mono={false}
      placeholder={LIMITS.byDefault}
    />
  );
}
