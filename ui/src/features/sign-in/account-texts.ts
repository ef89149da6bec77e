/** Texts of an account in one line, as the header of a server has them. */
import type { StepKind } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';

/** The menu in the header of a server. */
export const ACCOUNT_MENU = {
  label: 'Account',
  show: 'Show the account',
  identity: (name: string, account: string | null, isInUse: boolean) =>
    `${isInUse ? '● ' : ''}${name}${account === null ? '' : ` · ${visibleText(account)}`}`,
} as const;

export const ACTIONS = {
  runRest: 'Run the rest',
  continue: 'Continue',
  cancel: 'Cancel',
  signIn: 'Sign in',
  pasteToken: 'Paste a token',
  signOut: 'Sign out',
  otherWays: 'Other ways to sign in',
  again: 'Sign in again',
  stepByStep: 'Sign in step by step',
  manual: 'Sign in with a browser elsewhere',
};

/** The status in one line. */
export const STATUS = {
  off: 'Sign-in is off for this server',
  fixedToken: 'A fixed token is sent',
  otherIssuer: 'Another authorization server',
  unknownIssuer: 'Authorization server not agreed to',
  nothingSent: 'nothing was sent there',
  noOAuth: 'OAuth is not offered',
  failedAt: (step: string) => `Sign-in failed at ${step.toLowerCase()}`,
  notSignedIn: 'Not signed in',
  moreRights: 'More permissions required',
  required: 'Sign-in required',
  signedOut: 'Signed out',
  signedIn: 'Signed in',
  signedInAs: (account: string) => `Signed in as ${account}`,
  signingIn: 'Signing in',
  pausedBefore: (step: string | null) => `Paused before ${step?.toLowerCase() ?? 'the next step'}`,
  forBrowser: 'waiting for your browser',
  forPaste: 'waiting for the pasted address',
  forAgreement: 'Waiting for your agreement',
  forKeychain: 'Waiting for your keychain',
  unlock: 'unlock it in its own window',
};

/** The title of each step. */
export const STEP_TITLES: Record<StepKind, string> = {
  challenge: 'Challenge',
  resourceMetadata: 'Resource metadata',
  serverMetadata: 'Server metadata',
  registration: 'Registration',
  authorization: 'Authorization',
  callback: 'Callback',
  token: 'Token',
  retry: 'Retry',
};
