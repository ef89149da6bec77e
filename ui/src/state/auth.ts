import { create } from 'zustand';
import type { AuthView, ServerId, SignInState, SignInView, StepKind } from '@/backend/bindings';

/** What the Auth tab can show. */
export const AUTH_PAGES = ['account', 'steps', 'token', 'client'] as const;

export type AuthPage = (typeof AUTH_PAGES)[number];

/** Every step of a sign-in, in order. */
export const STEPS: readonly StepKind[] = [
  'challenge',
  'resource_metadata',
  'server_metadata',
  'registration',
  'authorization',
  'callback',
  'token',
  'retry',
];

interface AuthState {
  /** How the sign-in of each server stands; none for servers that are programs. */
  views: Record<ServerId, AuthView>;
  /** The page of the Auth tab that is open, by server. */
  pages: Record<ServerId, AuthPage>;
  /** The steps before which the next sign-in pauses, by server. */
  pauses: Record<ServerId, readonly StepKind[]>;
  replace(views: AuthView[]): void;
  set(view: AuthView): void;
  selectPage(server: ServerId, page: AuthPage): void;
  setPauses(server: ServerId, pauses: readonly StepKind[]): void;
}

export const useAuth = create<AuthState>((set) => ({
  views: {},
  pages: {},
  pauses: {},
  replace: (views) => set({ views: Object.fromEntries(views.map((view) => [view.server, view])) }),
  set: (view) =>
    set((state) => ({
      views: { ...state.views, [view.server]: view },
      pages: hasJustFailed(state.views[view.server], view)
        ? { ...state.pages, [view.server]: 'steps' }
        : state.pages,
    })),
  selectPage: (server, page) => set((state) => ({ pages: { ...state.pages, [server]: page } })),
  setPauses: (server, pauses) =>
    set((state) => ({ pauses: { ...state.pauses, [server]: pauses } })),
}));

/**
 * Whether a sign-in failed with this view: then its steps open by themselves. One that failed for
 * want of an answer does not: the question stands with the account.
 */
function hasJustFailed(before: AuthView | undefined, { attempt }: AuthView): boolean {
  if (attempt?.state !== 'failed' || attempt.issuer_question) return false;
  return before?.attempt?.id !== attempt.id || before.attempt.state !== 'failed';
}

/** How the sign-in of a server stands. */
export function useAuthView(server: ServerId): AuthView | undefined {
  return useAuth((state) => state.views[server]);
}

/** A sign-in that goes on. */
type Running = SignInView & { state: Exclude<SignInState, 'succeeded' | 'failed' | 'cancelled'> };

/** Whether a sign-in goes on, so that it can be cancelled. */
export function isSignInUnderWay(attempt: SignInView | null): attempt is Running {
  return attempt !== null && !['succeeded', 'failed', 'cancelled'].includes(attempt.state);
}
