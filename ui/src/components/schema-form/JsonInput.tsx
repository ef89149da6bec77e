import { useEffect, useState } from 'react';
import { JsonEditor } from '@/components/json-editor/JsonEditor';
import { parseExact } from '@/lib/json/exact';
import { type Tagged, tag, taggedText } from '@/lib/json/tagged';
import { useForm } from './form-context';
import type { InputProps } from './input-props';
import { INVALID_JSON, JSON_PLACEHOLDER } from './texts';

/** A part of the value that has no form: edited as JSON, empty for absent. */
export function JsonInput({
  value,
  title,
  pointer,
  onChange,
  reason,
}: InputProps & { reason: string }) {
  const { setUnreadable } = useForm();
  const written = taggedText(value) ?? '';
  const [typed, setTyped] = useState(written);
  const reading = read(typed);
  const text =
    reading.problem !== undefined || taggedText(reading.value) === taggedText(value)
      ? typed
      : written;
  const problem = text === typed ? reading.problem : undefined;
  useEffect(() => {
    setUnreadable(pointer, problem);
    return () => setUnreadable(pointer, undefined);
  }, [pointer, problem, setUnreadable]);
  return (
    <div className="overflow-hidden frame-field" title={reason}>
      <JsonEditor
        label={`${title} as JSON`}
        value={text}
        onChange={(next) => {
          setTyped(next);
          const { value: meant, problem: unreadable } = read(next);
          if (unreadable === undefined) onChange(meant);
        }}
        placeholder={JSON_PLACEHOLDER}
        minimumLines={1}
      />
    </div>
  );
}

function read(text: string): { value?: Tagged; problem?: string } {
  if (text.trim() === '') return {};
  try {
    return { value: tag(parseExact(text)) };
  } catch {
    return { problem: INVALID_JSON };
  }
}
