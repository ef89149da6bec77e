import { useEffect, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { CommandError, RegistryServer } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { useAnswer } from '@/widgets/use-answer';

/** Milliseconds after the last key before the registry is asked. */
const TYPING_DELAY = 300;

interface Answer {
  servers: readonly RegistryServer[];
  next: string | null;
}

const NOTHING: Answer = { servers: [], next: null };

/** The servers of the registry whose names hold a text, page by page. */
export function useRegistrySearch(text: string) {
  const backend = useBackend();
  const [answer, setAnswer] = useState(NOTHING);
  const [problem, setProblem] = useState<CommandError | null>(null);
  const [isLoading, setLoading] = useState(true);
  const [round, setRound] = useState(0);
  /** Moves with each question, so that a late answer to an earlier one is not shown. */
  const turn = useRef(0);

  const ask = (cursor: string | null) => {
    turn.current += 1;
    const asked = turn.current;
    setLoading(true);
    backend
      .searchRegistry(text.trim(), cursor)
      .then((page) => {
        if (asked !== turn.current) return;
        setAnswer((before) => ({
          servers: cursor === null ? page.servers : [...before.servers, ...page.servers],
          next: page.next,
        }));
        setProblem(null);
        setLoading(false);
      })
      .catch((reason) => {
        if (asked !== turn.current) return;
        setProblem(asCommandError(reason));
        setLoading(false);
      });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text or round is another question.
  useEffect(() => {
    turn.current += 1;
    setLoading(true);
    const timer = setTimeout(() => ask(null), round === 0 && text === '' ? 0 : TYPING_DELAY);
    return () => {
      clearTimeout(timer);
      turn.current += 1;
    };
  }, [backend, text, round]);

  return {
    servers: answer.servers,
    isLoading,
    problem,
    hasMore: answer.next !== null,
    loadMore: () => ask(answer.next),
    retry: () => setRound(round + 1),
  };
}

/** Every version of a server, the newest first; only the one at hand until they are there. */
export function useRegistryVersions(server: RegistryServer): readonly RegistryServer[] {
  const backend = useBackend();
  const { value } = useAnswer(
    () => backend.listRegistryVersions(server.name),
    [backend, server.name],
  );
  // The version that was found can be added without the others.
  return value && value.length > 0 ? value : [server];
}
