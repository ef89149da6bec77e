import { create } from 'zustand';
import type {
  AuthView,
  EndpointQuestion,
  IssuerQuestion,
  ServerId,
  SignInRequest,
  SignInState,
  SignInView,
  StepKind,
} from '@/backend/bindings';

/** The pages of a sign-in. */
const AUTH_PAGES = ['account', 'steps', 'token', 'client'] as const;

export type AuthPage = (typeof AUTH_PAGES)[number];

/** Every step of a sign-in, in order. */
export const STEPS: readonly StepKind[] = [
  'challenge',
  'resourceMetadata',
  'serverMetadata',
  'registration',
  'authorization',
  'callback',
  'token',
  'retry',
];

interface AuthState {
  /** The sign-in of each server; none for servers that are programs. */
  views: Record<ServerId, AuthView>;
  /** The page of a sign-in that is open, by server. */
  pages: Record<ServerId, AuthPage>;
  /** The server for which a token is about to be entered, on its page of the client. */
  tokenFor: ServerId | null;
  /** The steps before which the next sign-in pauses, by server. */
  pauses: Record<ServerId, readonly StepKind[]>;
  replace(views: AuthView[]): void;
  set(view: AuthView): void;
  selectPage(server: ServerId, page: AuthPage): void;
  /** Opens the page on which a token is entered that the user has already. */
  enterToken(server: ServerId): void;
  setPauses(server: ServerId, pauses: readonly StepKind[]): void;
}

export const useAuth = create<AuthState>((set) => ({
  views: {},
  pages: {},
  tokenFor: null,
  pauses: {},
  replace: (views) => set({ views: Object.fromEntries(views.map((view) => [view.server, view])) }),
  set: (view) =>
    set((state) => ({
      views: { ...state.views, [view.server]: view },
      pages: { ...state.pages, ...pageThatOpens(state.views[view.server], view) },
    })),
  selectPage: (server, page) =>
    set((state) => ({ pages: { ...state.pages, [server]: page }, tokenFor: null })),
  enterToken: (server) =>
    set((state) => ({ pages: { ...state.pages, [server]: 'client' }, tokenFor: server })),
  setPauses: (server, pauses) =>
    set((state) => ({ pauses: { ...state.pauses, [server]: pauses } })),
}));

/** The page that opens by itself: the steps of a sign-in that failed, or what it asks. */
function pageThatOpens(before: AuthView | undefined, view: AuthView): Record<ServerId, AuthPage> {
  const { attempt } = view;
  const isSame = before?.attempt?.id === attempt?.id;
  if (questionOf(attempt) !== null) {
    return isSame && questionOf(before?.attempt) !== null ? {} : { [view.server]: 'account' };
  }
  if (attempt?.state !== 'failed') return {};
  return isSame && before?.attempt?.state === 'failed' ? {} : { [view.server]: 'steps' };
}

/** Returns the request for a sign-in in the browser as the chosen identity, but for what is given. */
export function signInRequest(overrides: Partial<SignInRequest> = {}): SignInRequest {
  return { identity: null, manual: false, pauses: [], scopes: null, ...overrides };
}

/** Returns the question that a sign-in waits for, or failed for; null where it has none. */
export function questionOf(
  attempt: SignInView | null | undefined,
): IssuerQuestion | EndpointQuestion | null {
  return attempt?.issuerQuestion ?? attempt?.endpointQuestion ?? null;
}

/** Returns the state of the sign-in to a server. */
export function useAuthView(server: ServerId): AuthView | undefined {
  return useAuth((state) => state.views[server]);
}

/** A sign-in that goes on. */
type Running = SignInView & { state: Exclude<SignInState, 'succeeded' | 'failed' | 'cancelled'> };

/** Tells whether a sign-in goes on, so that it can be cancelled. */
export function isSignInUnderWay(attempt: SignInView | null): attempt is Running {
  return attempt !== null && !['succeeded', 'failed', 'cancelled'].includes(attempt.state);
}
