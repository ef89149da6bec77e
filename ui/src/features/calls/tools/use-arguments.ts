import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ItemView, SchemaCheck, SchemaProblem, ServerId } from '@/backend/bindings';
import { stringifyExact } from '@/lib/json/exact';
import { readJson } from '@/lib/json/read';
import { initialText } from '@/lib/schema/initial';
import { argumentDrafts } from '@/state/calls/drafts';
import { useSchemaCheck } from '@/state/calls/schema-check';
import { useNavigation } from '@/state/navigation';

export interface Arguments {
  text: string;
  setText(text: string): void;
  /** The reason why the text cannot be sent at all. */
  unreadable: string | undefined;
  violations: readonly SchemaProblem[];
  /** The outcome of the schema check; undefined while there is none yet. */
  check: SchemaCheck | undefined;
  /** Name of the source of arguments that were filled in; a new object each time they are. */
  filled: { from: string | undefined } | undefined;
}

const NO_VIOLATIONS: readonly SchemaProblem[] = [];

/** The arguments of one tool: those handed over, being edited, used last, or the defaults. */
export function useArguments(server: ServerId, item: ItemView, schema: string): Arguments {
  const id = `${server}\n${item.name}`;
  const [text, setState] = useState(
    () =>
      argumentDrafts.get(id) ??
      (item.lastArguments && indented(item.lastArguments)) ??
      initialText(schema),
  );
  const setText = useCallback(
    (next: string) => {
      argumentDrafts.keep(id, next);
      setState(next);
    },
    [id],
  );
  const [filled, setFilled] = useState<Arguments['filled']>();
  const prefill = useNavigation((state) => state.prefill);
  const takePrefill = useNavigation((state) => state.takePrefill);
  // biome-ignore lint/correctness/useExhaustiveDependencies: taken once for each hand-over.
  useEffect(() => {
    const given = prefill && takePrefill(server, 'tools', item.name);
    if (!given) return;
    setText(indented(given.arguments));
    setFilled({ from: given.from });
  }, [prefill, server, item.name]);

  const unreadable = useMemo(() => unreadableBecause(text), [text]);
  const check = useSchemaCheck(schema, unreadable === undefined ? text : undefined);
  const violations = check?.problems ?? NO_VIOLATIONS;
  return { text, setText, unreadable, violations, check, filled };
}

function unreadableBecause(text: string): string | undefined {
  const reading = readJson(text);
  if ('problem' in reading) {
    const before = text.slice(0, reading.problem.position);
    const line = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n');
    return `Line ${line}, column ${column}: ${reading.problem.message}`;
  }
  const { value } = reading;
  return typeof value !== 'object' || value === null || Array.isArray(value)
    ? 'Arguments have to be a JSON object.'
    : undefined;
}

function indented(text: string): string {
  const reading = readJson(text);
  return 'value' in reading ? stringifyExact(reading.value) : text;
}
