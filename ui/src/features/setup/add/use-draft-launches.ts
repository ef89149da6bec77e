import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Draft, DraftLaunchView } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';
import { showError } from '@/state/notices';

/** A variable of the environment that drafts ask for, and where its value would go. */
export interface AskedVariable {
  name: string;
  sentences: readonly string[];
}

/** Milliseconds after the last key before drafts are looked at again. */
const TYPING_DELAY = 120;

/** The effects of connecting to drafts, and the variables that those of somebody else ask for. */
export function useDraftLaunches(drafts: readonly Draft[]) {
  const backend = useBackend();
  const [answer, setAnswer] = useState<{ of: string; views: DraftLaunchView[] } | null>(null);
  const asked = JSON.stringify(drafts);
  useAsyncEffect(
    () => ({
      start: () =>
        Promise.all((JSON.parse(asked) as Draft[]).map((draft) => backend.getDraftLaunch(draft))),
      onValue: (views) => setAnswer({ of: asked, views }),
      onError: showError,
      delay: TYPING_DELAY,
    }),
    [backend, asked],
  );
  const views = answer?.views ?? [];
  return {
    launches: views.map(({ launch }) => launch),
    environment: byName(views.flatMap(({ environment }) => environment)),
    /** False while they are those of earlier drafts. */
    isCurrent: answer?.of === asked,
  };
}

function byName(uses: DraftLaunchView['environment']): AskedVariable[] {
  const sentences = new Map<string, Set<string>>();
  for (const { name, sentence } of uses) {
    sentences.set(name, (sentences.get(name) ?? new Set()).add(sentence));
  }
  return [...sentences].map(([name, said]) => ({ name, sentences: [...said] }));
}
