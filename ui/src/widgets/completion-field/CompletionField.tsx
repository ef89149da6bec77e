import { useState } from 'react';
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { useBackend } from '@/backend/backend';
import type { CompletionReference, ServerId } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';
import { visibleLines, visibleText } from '@/lib/visible-text';
import styles from './completion-field.module.css';
import { factsOf, NOT_SENT } from './texts';

/** Milliseconds for which the typing has to rest before the server is asked. */
const TYPING_DELAY = 150;

interface CompletionFieldProps {
  server: ServerId;
  reference: CompletionReference;
  /** The argument's name, as the wire has it. */
  name: string;
  title: string;
  description?: string;
  isRequired: boolean;
  /** Absent while untouched. */
  value: string | undefined;
  others: [string, string][];
  onChange(value: string): void;
}

/** A text that the server helps to complete (MCP, completion/complete). */
export function CompletionField(props: CompletionFieldProps) {
  const { server, reference, name, title, description, isRequired, value, onChange } = props;
  const [isFocused, setFocused] = useState(false);
  const suggestions = useSuggestions(props, isFocused);
  const facts = factsOf(reference.type, isRequired);
  return (
    <ComboBox
      key={`${server} ${name}`}
      className="mt-5"
      allowsCustomValue
      menuTrigger="focus"
      isRequired={isRequired}
      inputValue={value ?? ''}
      onInputChange={(next) => {
        if (next !== (value ?? '')) onChange(next);
      }}
      onFocusChange={setFocused}
      items={suggestions.map((text) => ({ text }))}
      defaultFilter={() => true}
    >
      <div className={styles.line}>
        <Label className="break-anywhere medium">
          <bdi>{visibleText(title)}</bdi>
        </Label>
        <span className="break-anywhere code faint">
          <bdi>{visibleText(name)}</bdi> · {facts}
        </span>
      </div>
      <Input
        className={styles.input}
        dir="auto"
        placeholder={value === undefined && !isRequired ? NOT_SENT : undefined}
        spellCheck={false}
        autoComplete="off"
      />
      {description && (
        <div className={styles.description} dir="auto">
          {visibleLines(description)}
        </div>
      )}
      <Popover className={styles.popover} offset={4}>
        <ListBox<{ text: string }> className="pad-x-2 pad-y-2 no-outline">
          {({ text }) => (
            <ListBoxItem id={text} textValue={text} className={styles.option}>
              <bdi>{visibleText(text)}</bdi>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** Returns the server's suggestions for what is typed; none where it does not complete. */
function useSuggestions(props: CompletionFieldProps, isFocused: boolean): string[] {
  const backend = useBackend();
  const { server, reference, name, value = '', others } = props;
  const [suggestions, setSuggestions] = useState<string[]>([]);
  const asked = JSON.stringify([reference, name, value, others]);
  useAsyncEffect(
    () =>
      isFocused
        ? {
            start: () => {
              const [of, argument, typed, filled] = JSON.parse(asked);
              const request = { reference: of, argument, value: typed, others: filled };
              return backend.complete(server, request);
            },
            onValue: (values) => setSuggestions([...new Set(values)]),
            // A server need not complete anything; the field then is an ordinary one.
            onError: () => setSuggestions([]),
            delay: TYPING_DELAY,
          }
        : null,
    [backend, server, asked, isFocused],
  );
  return suggestions;
}
