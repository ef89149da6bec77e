import type { Backend } from '../backend';
import type {
  AuthSettings,
  AuthView,
  IdentityView,
  ServerId,
  SettingSecret,
  SignInView,
  StepExchange,
  StepKind,
  StepView,
  VaultView,
} from '../bindings';
import {
  ADDRESS,
  keychain,
  NO_SETTINGS,
  REDIRECT,
  renewal,
  sampleGrant,
  sampleStep,
  sampleStray,
  sampleTokens,
  sampleView,
  serverMetadata,
} from './auth-samples';
import { pause } from './clock';
import type { FakeConnections } from './connect';
import type { FakeWorld } from './world';

type AuthCommands = Pick<
  Backend,
  | 'authView'
  | 'signIn'
  | 'cancelSignIn'
  | 'continueSignIn'
  | 'setSignInPauses'
  | 'restartSignIn'
  | 'pasteRedirect'
  | 'signOut'
  | 'chooseIdentity'
  | 'forgetIdentity'
  | 'tokens'
  | 'revealToken'
  | 'tokenAction'
  | 'authSettings'
  | 'saveAuthSettings'
  | 'keepAuthSecret'
  | 'rebindAuth'
  | 'agreeToIssuer'
  | 'exportSignIn'
  | 'moveSecrets'
>;

/*
 * A list of its own. The window's start waits for this module, and would wait for ever if this
 * module took a value from the start in its turn.
 */
const STEPS: readonly StepKind[] = [
  'challenge',
  'resource_metadata',
  'server_metadata',
  'registration',
  'authorization',
  'callback',
  'token',
  'retry',
];

/** How long a step takes here. */
const STEP = 60;
/** How long the person needs in the browser that is not there. */
const IN_BROWSER = 1200;

/** How a sign-in goes on here: as it should, or into a server whose metadata is wrong. */
export type Course = 'well' | 'wrong-issuer' | 'stuck-in-browser' | 'locked-keychain';

function waiting(step: StepKind): StepView {
  return {
    step,
    state: 'pending',
    started: null,
    duration: null,
    summary: null,
    exchanges: [],
    checks: [],
    draft: null,
  };
}

/** Sign-ins without a network: each goes through all steps, as the host's does. */
export class FakeAuth {
  private readonly courses = new Map<ServerId, Course>();
  private readonly settings = new Map<ServerId, AuthSettings>();
  private readonly kept = new Map<ServerId, SettingSecret[]>();
  private readonly altered = new Map<ServerId, string>();
  /** Ends the waiting of the sign-in that runs. */
  private readonly wakes = new Map<ServerId, () => void>();
  private lastAttempt = 0;

  constructor(
    private readonly world: FakeWorld,
    private readonly connections: FakeConnections,
  ) {}

  /** Lets people sign in to a server. */
  add(id: ServerId, rest: Partial<AuthView> = {}, course: Course = 'well'): void {
    this.courses.set(id, course);
    this.world.auth.set(id, { ...sampleView(id, this.world.server(id).summary), ...rest });
  }

  readonly commands: AuthCommands = {
    authView: async (server) => this.view(server),
    signIn: async (server, { identity, manual, pauses }) => {
      const view = this.view(server);
      const name = identity ?? view.identity;
      const identities = withIdentity(view.identities, name);
      this.put(server, { identity: name, identities });
      void this.run(server, 'challenge', pauses, manual);
      return null;
    },
    cancelSignIn: async (server) => {
      const isRunning = this.attempt(server) !== null;
      this.change(server, { state: 'cancelled', duration: 900 });
      this.wakes.get(server)?.();
      return isRunning;
    },
    continueSignIn: async (server, _edited, pauses) => {
      this.change(server, { pauses });
      this.wakes.get(server)?.();
      return null;
    },
    setSignInPauses: async (server, pauses) => {
      this.change(server, { pauses });
      return null;
    },
    restartSignIn: async (server, from, pauses) => {
      void this.run(server, from, pauses, false);
      return null;
    },
    pasteRedirect: async (server, address) => {
      if (!new URL(address).searchParams.has('code')) {
        throw {
          code: 'invalid_input',
          message: 'That address holds no code.',
          hint: 'Copy the whole address from the bar of the browser once it has left the sign-in page.',
        };
      }
      this.wakes.get(server)?.();
      return null;
    },
    signOut: async (server, identity) => {
      const name = identity ?? this.view(server).identity;
      this.setIdentity(server, { name, grant: null, problem: null });
      this.put(server, { status: { kind: 'signed_out' }, attempt: null });
      return {
        revoked: true,
        message: 'Signed out. The server withdrew the token.',
        exchanges: [],
      };
    },
    chooseIdentity: async (server, identity) => {
      const identities = withIdentity(this.view(server).identities, identity);
      const chosen = identities.find(({ name }) => name === identity);
      return this.put(server, {
        identity,
        identities,
        status: { kind: chosen?.grant ? 'signed_in' : 'signed_out' },
        attempt: null,
      });
    },
    forgetIdentity: async (server, identity) => {
      const identities = this.view(server).identities.filter(({ name }) => name !== identity);
      return this.put(server, { identities, identity: identities[0]?.name ?? 'default' });
    },
    tokens: async (server, identity) => {
      const grant = this.view(server).identities.find(({ name }) => name === identity)?.grant;
      return grant ? sampleTokens(identity, grant, this.altered.get(server) ?? null) : null;
    },
    revealToken: async (_server, _identity, token) => `eyJhbGciOiJSUzI1NiJ9.${token}.c2lnbmF0dXJl`,
    tokenAction: async (server, _identity, action) => {
      await pause(STEP);
      this.altered.delete(server);
      const onRecord = (exchanges: StepExchange[]) =>
        this.onRecord(server, { exchanges }).exchanges ?? [];
      switch (action.kind) {
        case 'refresh':
          return {
            message: 'A new token came, good for an hour.',
            ok: true,
            exchanges: onRecord(renewal(false)),
          };
        case 'pretend_expired':
          return {
            message: 'It was renewed before it was used, and the server took the new one.',
            ok: true,
            exchanges: onRecord(renewal(false)),
          };
        case 'corrupt':
          this.altered.set(server, 'One character of this token was changed.');
          return {
            message: 'The server refused the changed token with 401; it was renewed and taken.',
            ok: true,
            exchanges: onRecord(renewal(true)),
          };
        case 'drop_scope':
          return {
            message: `The authorization server gave a token without ${action.scope}.`,
            ok: true,
            exchanges: onRecord(renewal(false)),
          };
        case 'revoke':
          return {
            message:
              'The token was withdrawn, and the server took it all the same: it does not look.',
            ok: false,
            exchanges: onRecord(renewal(false).slice(1)),
          };
        case 'restore':
          return { message: 'The token is the real one again.', ok: true, exchanges: [] };
      }
    },
    authSettings: async (server) => this.settingsOf(server),
    saveAuthSettings: async (server, settings) => {
      this.settings.set(server, settings);
      this.put(server, { mode: settings.mode ?? 'oauth' });
      return this.settingsOf(server);
    },
    keepAuthSecret: async (server, secret, value) => {
      const others = (this.kept.get(server) ?? []).filter(({ kind }) => kind !== secret.kind);
      this.kept.set(server, value === null ? others : [...others, secret]);
      return this.settingsOf(server);
    },
    rebindAuth: async (server) => {
      this.put(server, { withheld: [] });
      return this.view(server);
    },
    agreeToIssuer: async (server) => this.view(server),
    exportSignIn: async (server, form) => `${form} of the sign-in to ${server}\n`,
    moveSecrets: async (to) => {
      const vault: VaultView =
        to === 'keychain'
          ? keychain()
          : {
              ...keychain(),
              kind: 'file',
              label: 'A file',
              path: '/home/ada/.local/share/sightglass/secrets.json',
              can_move_to: 'keychain',
            };
      for (const server of this.world.auth.keys()) this.put(server, { vault });
      return vault;
    },
  };

  /** Puts a sign-in before a person as it stood when it failed. */
  failedBefore(id: ServerId): void {
    const steps = STEPS.map((step, index) =>
      index < 2
        ? { ...waiting(step), ...this.onRecord(id, sampleStep(step)), ...done(80 + index) }
        : index > 2
          ? waiting(step)
          : {
              ...waiting(step),
              ...this.onRecord(id, wrongIssuer()),
              state: 'failed' as const,
              duration: 165.1,
            },
    );
    this.put(id, { attempt: { ...this.begin('default', [], false), ...failure(), steps } });
  }

  /** Runs the sign-in from a step on. */
  private async run(id: ServerId, from: StepKind, pauses: StepKind[], manual: boolean) {
    this.wakes.get(id)?.();
    const before = this.view(id).attempt?.steps ?? [];
    const first = STEPS.indexOf(from);
    const attempt = this.begin(this.view(id).identity, pauses, manual);
    attempt.steps = STEPS.map((step, index) =>
      index < first ? (before[index] ?? waiting(step)) : waiting(step),
    );
    this.put(id, { attempt });
    const isOver = () => this.attempt(id)?.id !== attempt.id;
    for (const step of STEPS.slice(first)) {
      if (this.attempt(id)?.pauses.includes(step)) {
        this.setStep(id, step, { state: 'paused', draft: draftOf(step) }, { state: 'paused' });
        await this.waits(id);
        if (isOver()) return;
      }
      this.setStep(
        id,
        step,
        { state: 'running', started: Date.now(), draft: null },
        this.busy(id, step),
      );
      await this.passes(id, step);
      if (isOver()) return;
      if (step === 'server_metadata' && this.courses.get(id) === 'wrong-issuer') {
        this.setStep(id, step, { ...wrongIssuer(), state: 'failed', duration: 165.1 }, failure());
        return;
      }
      this.setStep(id, step, { ...sampleStep(step), ...done(STEP) }, {});
    }
    const { identity } = this.view(id);
    const grant = sampleGrant('ada@acme.example', 60);
    this.setIdentity(id, { name: identity, grant, problem: null });
    this.change(id, { state: 'succeeded', duration: 2100, deadline: null });
    this.put(id, { status: { kind: 'signed_in' } });
    void this.connections.connect(id);
  }

  /** What the whole sign-in is doing while a step runs. */
  private busy(id: ServerId, step: StepKind): Partial<SignInView> {
    if (step === 'authorization')
      return { state: 'running', address: ADDRESS, redirect_uri: REDIRECT };
    if (step !== 'callback') return { state: 'running' };
    const manual = this.attempt(id)?.manual === true;
    return {
      state: manual ? 'waiting_for_paste' : 'waiting_for_browser',
      deadline: Date.now() + 300_000,
    };
  }

  /** Lasts as long as a step does. */
  private async passes(id: ServerId, step: StepKind): Promise<void> {
    const course = this.courses.get(id);
    if (course === 'locked-keychain' && step === 'registration') {
      this.change(id, { state: 'waiting_for_keychain' });
      await this.waits(id);
    } else if (step !== 'callback') await pause(STEP);
    else if (course === 'stuck-in-browser') {
      this.setStep(id, step, sampleStray(), {});
      await this.waits(id);
    } else if (this.attempt(id)?.manual) await this.waits(id);
    else await Promise.race([pause(IN_BROWSER), this.waits(id)]);
  }

  private waits(id: ServerId): Promise<void> {
    return new Promise((resolve) => this.wakes.set(id, resolve));
  }

  private begin(identity: string, pauses: StepKind[], manual: boolean): SignInView {
    this.lastAttempt += 1;
    return {
      id: this.lastAttempt,
      identity,
      purpose: 'sign_in',
      started: Date.now(),
      duration: null,
      state: 'running',
      steps: STEPS.map(waiting),
      pauses,
      address: null,
      redirect_uri: null,
      deadline: null,
      issuer_question: null,
      manual,
      failure: null,
    };
  }

  private view(id: ServerId): AuthView {
    const view = this.world.auth.get(id);
    if (!view) throw { code: 'unknown_server', message: `No sign-in for ${id}.`, hint: null };
    return view;
  }

  /** The sign-in that runs, if one does. */
  private attempt(id: ServerId): SignInView | null {
    const { attempt } = this.view(id);
    return attempt && !['succeeded', 'failed', 'cancelled'].includes(attempt.state)
      ? attempt
      : null;
  }

  private put(id: ServerId, changed: Partial<AuthView>): AuthView {
    const view = { ...this.view(id), ...changed };
    this.world.setAuth(view);
    return view;
  }

  private change(id: ServerId, changed: Partial<SignInView>): void {
    const { attempt } = this.view(id);
    if (attempt) this.put(id, { attempt: { ...attempt, ...changed } });
  }

  private setStep(
    id: ServerId,
    step: StepKind,
    changed: Partial<StepView>,
    whole: Partial<SignInView>,
  ): void {
    const { attempt } = this.view(id);
    if (!attempt) return;
    const recorded = this.onRecord(id, changed);
    const steps = attempt.steps.map((known) =>
      known.step === step ? { ...known, ...recorded } : known,
    );
    this.change(id, { steps, ...whole });
  }

  /** Puts requests on record, so that the traffic shows them too. */
  private onRecord(id: ServerId, step: Partial<StepView>): Partial<StepView> {
    const exchanges = step.exchanges?.map((exchange): StepExchange => {
      const { method, url, status, duration, request, response } = exchange;
      const row = this.world.record.begin({
        server: this.world.server(id),
        kind: 'oauth',
        method: `${method} ${new URL(url).pathname}`,
        target: new URL(url).host,
        request,
      });
      const outcome = (status ?? 500) < 400 ? 'ok' : 'error';
      this.world.record.settle(row, { outcome, response, code: status, duration: duration ?? 0 });
      return { ...exchange, exchange: row.id };
    });
    return exchanges ? { ...step, exchanges } : step;
  }

  private setIdentity(id: ServerId, identity: IdentityView): void {
    const identities = this.view(id).identities.map((known) =>
      known.name === identity.name ? identity : known,
    );
    this.put(id, { identities });
  }

  private settingsOf(server: ServerId) {
    return {
      settings: this.settings.get(server) ?? NO_SETTINGS,
      configured: NO_SETTINGS,
      kept: this.kept.get(server) ?? [],
    };
  }
}

function withIdentity(identities: readonly IdentityView[], name: string): IdentityView[] {
  return identities.some((known) => known.name === name)
    ? [...identities]
    : [...identities, { name, grant: null, problem: null }];
}

function done(duration: number): Partial<StepView> {
  return { state: 'done', duration };
}

function wrongIssuer(): Partial<StepView> {
  return {
    summary: 'The metadata is that of another issuer',
    ...serverMetadata('https://login.elsewhere.example'),
  };
}

function failure(): Partial<SignInView> {
  return {
    state: 'failed',
    duration: 412,
    failure: {
      step: 'server_metadata',
      message: 'The metadata names another issuer than the one it was asked of.',
      hint: 'The authorization server is set up wrongly, or somebody answers in its place. If it is your own, set its issuer to the address that the resource metadata names.',
      clause: {
        title: 'RFC 8414, section 3.3',
        url: 'https://www.rfc-editor.org/rfc/rfc8414#section-3.3',
      },
    },
  };
}

function draftOf(step: StepKind) {
  const [exchange] = (sampleStep(step).exchanges ?? []).slice(-1);
  if (step === 'callback') return null;
  const [head = '', body = ''] = (exchange?.request ?? '').split('\n\n');
  return {
    method: exchange?.method ?? 'GET',
    url: exchange?.url ?? ADDRESS,
    headers: head
      .split('\n')
      .slice(1)
      .map((line): [string, string] => {
        const at = line.indexOf(':');
        return [line.slice(0, at), line.slice(at + 1).trim()];
      }),
    body: body === '' ? null : body,
  };
}
