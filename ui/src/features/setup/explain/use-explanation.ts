import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Client, ExplanationView } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useConfiguration } from '@/state/setup/configuration';

interface Explained {
  of: string;
  explanation: ExplanationView | null;
  failure: string | null;
}

/**
 * Explains a server's status. The last explanation stays while the same server is explained anew.
 */
export function useExplanation(client: Client, name: string): Explained {
  const backend = useBackend();
  const revision = useConfiguration((state) => state.view.revision);
  const key = `${client}\n${name}`;
  const [explained, setExplained] = useState<Explained>(nothing(key));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision may explain it otherwise.
  useAsyncEffect(
    () => ({
      start: () => backend.explainConfiguration(client, name),
      onValue: (explanation) => setExplained({ of: key, explanation, failure: null }),
      onError: (reason) =>
        setExplained({ of: key, explanation: null, failure: asCommandError(reason).message }),
    }),
    [backend, client, name, key, revision],
  );
  return explained.of === key ? explained : nothing(key);
}

const nothing = (of: string): Explained => ({ of, explanation: null, failure: null });
