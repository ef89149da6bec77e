import { useEffect, useRef, useState } from 'react';
import { type Backend, useBackend } from '@/backend/backend';
import type { SchemaCheck } from '@/backend/bindings';

/** Milliseconds after the last key before a value is checked again. */
const CHECK_DELAY = 150;

/**
 * The outcome of checking a value against a schema, both as JSON: that of the value before while the
 * present one is being checked, and undefined before the first one is there, or without a value.
 * There is one check at a time, and the newest value is the next.
 */
export function useSchemaCheck(schema: string, value: string | undefined): SchemaCheck | undefined {
  const backend = useBackend();
  const [known, setKnown] = useState<{ schema: string; check: SchemaCheck }>();
  const running = useRef<Promise<SchemaCheck>>(undefined);
  const begun = useRef<string>(undefined);
  useEffect(() => {
    if (value === undefined) return;
    let isCurrent = true;
    const start = async () => {
      await running.current;
      if (!isCurrent) return;
      running.current = checked(backend, schema, value);
      const check = await running.current;
      if (isCurrent) setKnown({ schema, check });
    };
    // What follows the first value is being typed.
    const isTyped = begun.current === schema;
    begun.current = schema;
    const timer = isTyped ? setTimeout(start, CHECK_DELAY) : undefined;
    if (!isTyped) void start();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [backend, schema, value]);
  return value !== undefined && known?.schema === schema ? known.check : undefined;
}

/** Checks a value; what cannot be asked is not checked. */
export async function checked(
  backend: Backend,
  schema: string,
  value: string,
): Promise<SchemaCheck> {
  try {
    return await backend.checkValue(schema, value);
  } catch {
    return NOT_CHECKED;
  }
}

const NOT_CHECKED: SchemaCheck = {
  valid: false,
  problems: [],
  notChecked: 'the check itself failed',
};
