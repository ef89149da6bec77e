import { useMemo } from 'react';
import { create } from 'zustand';
import type {
  AutomaticAnswer,
  CallConfirmation,
  ServerId,
  ServerQuestion,
  Settlement,
} from '@/backend/bindings';
import { openPlace } from '@/state/navigation';
import { answerDraft, dropAnswerDraft } from './drafts';
import { placeOfCall, runningCall } from './runs';

/** A question that can no longer be answered, and was not. */
export interface EndedQuestion {
  question: ServerQuestion;
  how: Exclude<Settlement, 'answered'>;
}

/** A time in which a question waited for the user, in milliseconds since the Unix epoch. */
interface Wait {
  server: ServerId;
  /** The call it belonged to; null where that cannot be told. */
  call: string | null;
  from: number;
  to: number;
}

/** One thing that happened to the questions, in the order of the facts. */
export type QuestionChange =
  | { type: 'questionArrived'; question: ServerQuestion }
  | { type: 'questionSettled'; id: number; how: Settlement };

interface QuestionsState {
  /** The open questions of servers, oldest first. */
  open: ServerQuestion[];
  /** Those that ended unanswered and were not dismissed yet, oldest first. */
  ended: EndedQuestion[];
  /** The calls that wait for a confirmation: they are not sent yet. */
  confirming: (Pick<CallConfirmation, 'id' | 'server'> & { call: string; at: number })[];
  /** The times in which settled questions and confirmations waited, oldest first. */
  waits: Wait[];
  /** The newest questions that were answered without asking, oldest first. */
  automatic: AutomaticAnswer[];
  /** The question that each server's list shows; 0 for its folders, -1 for the rules. */
  chosen: Readonly<Record<ServerId, number>>;
  /** The questions that are on the screen now. */
  shown: readonly number[];
  /** The question whose first field is to take the focus. */
  wanted: number | null;
  replace(questions: ServerQuestion[], automatic: AutomaticAnswer[]): void;
  /** Applies changes in their order, in one pass however many there are. */
  apply(changes: readonly QuestionChange[]): void;
  /** Notes the confirmations that are open now. */
  confirm(open: readonly CallConfirmation[]): void;
  answer(answer: AutomaticAnswer): void;
  /** Forgets a question that ended. */
  dismiss(id: number): void;
  choose(server: ServerId, id: number): void;
  /** Notes that a question is on the screen. */
  show(id: number): void;
  hide(id: number): void;
  /** Says that a question has taken the focus that it was to take. */
  takeFocus(id: number): void;
}

const MAX_AUTOMATIC_ANSWERS = 50;
const MAX_ENDED = 20;
const MAX_WAITS = 100;

export const useQuestions = create<QuestionsState>((set) => ({
  open: [],
  ended: [],
  confirming: [],
  waits: [],
  automatic: [],
  chosen: {},
  shown: [],
  wanted: null,
  replace: (questions, automatic) => set({ open: questions, automatic }),
  apply: (changes) =>
    set((state) => {
      const open = new Map(state.open.map((question) => [question.id, question]));
      const ended = [...state.ended];
      const waits = [...state.waits];
      const chosen = { ...state.chosen };
      for (const change of changes) {
        if (change.type === 'questionArrived') {
          open.delete(change.question.id);
          open.set(change.question.id, change.question);
          const before = chosen[change.question.server];
          // The newest is shown, unless an answer is being written.
          if (before === undefined || answerDraft(before) === undefined) {
            chosen[change.question.server] = change.question.id;
          }
          continue;
        }
        const { id, how } = change;
        const question = open.get(id);
        if (!question) continue;
        open.delete(id);
        const { server, call, at } = question;
        waits.push({ server, call, from: at ?? Date.now(), to: Date.now() });
        if (how === 'answered') dropAnswerDraft(id);
        else ended.push({ question, how });
      }
      return {
        chosen,
        open: [...open.values()],
        ended: ended.slice(-MAX_ENDED),
        waits: waits.slice(-MAX_WAITS),
      };
    }),
  confirm: (open) =>
    set(({ confirming, waits }) => {
      const now = Date.now();
      const ended = confirming.filter(({ id }) => !open.some((other) => other.id === id));
      const past = ended.map(({ server, call, at }) => ({ server, call, from: at, to: now }));
      return {
        confirming: open.map(({ id, server, tool }) => {
          const known = confirming.find((other) => other.id === id);
          return known ?? { id, server, call: runningCall(server, tool), at: now };
        }),
        waits: [...waits, ...past].slice(-MAX_WAITS),
      };
    }),
  // Applied once more, a fact changes nothing.
  answer: (answer) =>
    set((state) => ({
      automatic: [
        ...state.automatic.filter(({ server, at }) => server !== answer.server || at !== answer.at),
        answer,
      ].slice(-MAX_AUTOMATIC_ANSWERS),
    })),
  dismiss: (id) =>
    set((state) => {
      dropAnswerDraft(id);
      return { ended: state.ended.filter(({ question }) => question.id !== id) };
    }),
  choose: (server, id) => set((state) => ({ chosen: { ...state.chosen, [server]: id } })),
  show: (id) => set((state) => ({ shown: [...state.shown, id] })),
  hide: (id) =>
    set((state) => {
      // One of them: for a moment the same question can stand in two places.
      const at = state.shown.indexOf(id);
      return { shown: state.shown.filter((_, index) => index !== at) };
    }),
  takeFocus: (id) => set((state) => (state.wanted === id ? { wanted: null } : state)),
}));

/** Times at which open questions came on the screen first, on the clock of the page. */
const shownSince = new Map<number, number>();

/** Returns when a question came on the screen first; now, where it has not been there. */
export function firstShown(id: number): number {
  const known = shownSince.get(id);
  if (known !== undefined) return known;
  const open = new Set(useQuestions.getState().open.map((question) => question.id));
  for (const old of shownSince.keys()) if (!open.has(old)) shownSince.delete(old);
  const now = performance.now();
  shownSince.set(id, now);
  return now;
}

/** Time at which a question last went with the focus in it, on the clock of the page. */
let gone = Number.NEGATIVE_INFINITY;

/** Returns when a question last went from the screen with the focus in it. */
export function goneWithFocus(): number {
  return gone;
}

/** Notes that a question goes from the screen now, with the focus in it. */
export function noteGoneWithFocus(): void {
  gone = performance.now();
}

/** Leads to a question: where it stands on the screen, at its call, or where all of them stand. */
export function goToQuestion({ id, server, call }: ServerQuestion): void {
  const { shown } = useQuestions.getState();
  if (!shown.includes(id)) {
    const place = placeOfCall(server, call);
    openPlace({ ...(place ?? { server, section: 'answers' }), focus: 'none' });
  }
  useQuestions.setState((state) => ({ chosen: { ...state.chosen, [server]: id }, wanted: id }));
}

/** The newest question that a call waits for. */
export function useQuestionOf(server: ServerId, call: string): ServerQuestion | undefined {
  return useQuestions((state) =>
    state.open.findLast(
      (question) =>
        question.server === server && (question.call === null || question.call === call),
    ),
  );
}

/** Counts the questions of this server that wait for an answer. */
export function useQuestionCount(server: ServerId): number {
  return useQuestions((state) =>
    state.open.reduce((count, question) => count + (question.server === server ? 1 : 0), 0),
  );
}

/** The time that a call waits for the user. */
export interface Waiting {
  /** Since when, in milliseconds since the Unix epoch; null while no question waits. */
  since: number | null;
  /** Milliseconds that it waited before, since it began. */
  before: number;
}

/** The time that a call, which began at a moment, waits for the user and has waited. */
export function useWaiting(server: ServerId, call: string, began: number): Waiting {
  const open = useQuestions((state) => state.open);
  const confirming = useQuestions((state) => state.confirming);
  const waits = useQuestions((state) => state.waits);
  return useMemo(
    () => waitingOf({ open, confirming, waits }, { server, call, began }),
    [open, confirming, waits, server, call, began],
  );
}

type Waits = Pick<QuestionsState, 'open' | 'waits'> & Partial<Pick<QuestionsState, 'confirming'>>;

/** The same, of what is known of questions and confirmations. */
export function waitingOf(
  { open, confirming = [], waits }: Waits,
  { server, call, began }: { server: ServerId; call: string; began: number },
): Waiting {
  const isOfCall = (asked: { server: ServerId; call: string | null }) =>
    asked.server === server && (asked.call === null || asked.call === call);
  const waiting = [...open, ...confirming]
    .filter(isOfCall)
    .map(({ at }) => Math.max(at ?? began, began));
  const since = waiting.length === 0 ? null : Math.min(...waiting);
  let before = 0;
  let counted = began;
  const past = waits.filter(isOfCall).sort((one, other) => one.from - other.from);
  for (const { from, to } of past) {
    // What waits now counts from its beginning on, also where others waited too.
    const end = Math.min(to, since ?? to);
    before += Math.max(0, end - Math.max(from, counted));
    counted = Math.max(counted, end);
  }
  return { since, before };
}
