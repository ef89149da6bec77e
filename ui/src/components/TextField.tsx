import type { ReactNode, Ref } from 'react';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from 'react-aria-components';
import { entirelyVisible, entirelyVisibleLines } from '@/lib/visible-text';
import { classes } from './classes';
import styles from './fields.module.css';

interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'style' | 'children'> {
  label: string;
  /** Keeps the label for screen readers only, where its place says it already. */
  hideLabel?: boolean;
  /** Stands behind the label in small: the wire's name and type, a unit. */
  annotation?: ReactNode;
  description?: ReactNode;
  /** The error of the value; marks the field as invalid. */
  error?: string;
  placeholder?: string;
  /** Grows to this many lines. One line without it. */
  lines?: number;
  mono?: boolean;
  className?: string;
  inputRef?: Ref<HTMLInputElement>;
  onPaste?: (event: React.ClipboardEvent<HTMLInputElement>) => void;
}

const HIDDEN_CHARACTERS = 'Hidden characters, written out:';

/** Returns the lines that hold more than the field shows, with all of it; null where none does. */
function hiddenIn(value: string, isLines: boolean): string | null {
  const lines = isLines ? value.split('\n') : [value];
  const shown = isLines ? entirelyVisibleLines : entirelyVisible;
  const hiding = lines.filter((line) => shown(line) !== line);
  return hiding.length > 0 ? hiding.map(shown).join('\n') : null;
}

/** A labelled field for text. A remark tells the characters of its value that are not seen. */
export function TextField({
  label,
  hideLabel,
  annotation,
  description,
  error,
  placeholder,
  lines,
  mono,
  className,
  inputRef,
  onPaste,
  ...rest
}: TextFieldProps) {
  const look = classes(styles.input, mono && 'mono');
  const hidden = rest.type === 'password' ? null : hiddenIn(rest.value ?? '', lines !== undefined);
  return (
    <AriaTextField
      {...rest}
      aria-label={hideLabel ? label : undefined}
      isInvalid={error !== undefined || rest.isInvalid}
      className={classes(styles.field, className)}
    >
      {!hideLabel && (
        <Label className="mb-2 medium">
          {label}{' '}
          {annotation && <span className={classes(styles.annotation, 'mono')}>{annotation}</span>}
        </Label>
      )}
      {lines === undefined ? (
        <Input
          ref={inputRef}
          placeholder={placeholder}
          onPaste={onPaste}
          spellCheck={false}
          autoComplete="off"
          className={look}
        />
      ) : (
        <TextArea
          placeholder={placeholder}
          rows={lines}
          spellCheck={false}
          className={classes(look, styles.area)}
        />
      )}
      {(description || hidden !== null) && (
        <Text slot="description" className="mt-2 text-data remark">
          {description}
          {hidden !== null && (
            <span className="block pre-wrap warn">
              <span aria-hidden="true">▲ </span>
              {HIDDEN_CHARACTERS} <code>{hidden}</code>
            </span>
          )}
        </Text>
      )}
      <FieldError className="mt-2 text-data bad">{error}</FieldError>
    </AriaTextField>
  );
}
