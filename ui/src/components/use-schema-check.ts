import { useEffect, useState } from 'react';
import { checkValue } from '@/lib/schema/checks';
import type { Verdict } from '@/lib/schema/validate';

/**
 * The verdict on a value, both as JSON: that on the text before while the present one is being
 * checked, and undefined before the first one is there, or without a value.
 */
export function useSchemaCheck(schema: string, value: string | undefined): Verdict | undefined {
  const [known, setKnown] = useState<{ schema: string; verdict: Verdict }>();
  useEffect(() => {
    if (value === undefined) return;
    const ending = new AbortController();
    void checkValue(schema, value, ending.signal).then((verdict) => {
      if (!ending.signal.aborted) setKnown({ schema, verdict });
    });
    return () => ending.abort();
  }, [schema, value]);
  return value !== undefined && known?.schema === schema ? known.verdict : undefined;
}
