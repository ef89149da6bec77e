import type { DoctorCheck, DoctorReport, ServerId, ServerView } from '../bindings';
import { pause } from './clock';
import type { FakeWorld } from './world';

/** Milliseconds that a check takes. */
const CHECK = 120;

/** Examines servers by what their status says. */
export class FakeDoctor {
  private readonly stopped = new Set<ServerId>();

  constructor(private readonly world: FakeWorld) {}

  async run(id: ServerId): Promise<DoctorReport> {
    this.stopped.delete(id);
    const server = this.world.server(id);
    const checks = checksOf(server);
    for (let done = 0; done < checks.length; done += 1) {
      this.tell(reportOf(server, 'running', checks.slice(0, done)));
      await pause(CHECK);
      if (this.stopped.delete(id)) {
        return this.tell(reportOf(server, 'cancelled', checks.slice(0, done)));
      }
    }
    return this.tell(reportOf(server, 'finished', checks));
  }

  stop(id: ServerId): void {
    this.stopped.add(id);
  }

  private tell(report: DoctorReport): DoctorReport {
    this.world.tell({ type: 'doctor', report });
    return report;
  }
}

function reportOf(
  server: ServerView,
  state: DoctorReport['state'],
  checks: DoctorCheck[],
): DoctorReport {
  const failure = state === 'finished' ? server.status.failure : null;
  return {
    server: server.id,
    state,
    checks,
    cause: failure?.hint.text ?? null,
    action: failure?.hint.action ?? null,
    failure,
    connection: 1,
    text: [
      `Doctor: ${server.name}`,
      ...checks.map(({ title, summary }) => `${title}: ${summary}`),
    ].join('\n'),
  };
}

const check = (title: string, summary: string, rest: Partial<DoctorCheck> = {}): DoctorCheck => ({
  title,
  summary,
  verdict: 'passed',
  evidence: [],
  duration: null,
  ...rest,
});

function checksOf(server: ServerView): DoctorCheck[] {
  const { failure } = server.status;
  const end = failure
    ? [
        check('Handshake', 'it did not come to that', { verdict: 'skipped' }),
        check('Capabilities', 'it did not come to that', { verdict: 'skipped' }),
      ]
    : [
        check('Handshake', `${server.name}-server 1.4.0, 2025-11-25`, { duration: 84 }),
        check('Capabilities', 'resources answers, and does not say so', {
          verdict: 'warning',
          evidence: [
            'declared: logging, tools',
            'resources/list answered with 3 items all the same',
          ],
        }),
      ];
  return [
    ...(server.transport === 'stdio' ? programChecks(server) : networkChecks(server)),
    ...end,
  ];
}

function programChecks({ status: { failure } }: ServerView): DoctorCheck[] {
  return [
    check('Program', '/usr/bin/npx', { evidence: ['PATH: /usr/local/bin:/usr/bin:/bin'] }),
    check('Start', 'the program was started', { duration: 62 }),
    failure
      ? check('Exit', failure.reason, {
          verdict: 'failed',
          evidence: ['no answer to initialize (id 1)'],
        })
      : check('Exit', 'it did not end by itself'),
    check('Stray output', 'nothing but messages on stdout'),
  ];
}

function networkChecks({ summary, status: { failure } }: ServerView): DoctorCheck[] {
  const { hostname } = new URL(summary);
  return [
    check('DNS', `${hostname} is 203.0.113.7`, {
      evidence: ['203.0.113.7', '2001:db8::7'],
      duration: 12.4,
    }),
    check('TCP', '203.0.113.7:443', { duration: 18.9 }),
    check('TLS', 'TLS 1.3, issued by Example CA', {
      evidence: [`CN=${hostname}`, 'valid from 2026-09-01 to 2026-11-30'],
      duration: 31.2,
    }),
    failure
      ? check('HTTP', failure.reason, {
          verdict: 'failed',
          evidence: ['POST / HTTP/1.1', 'HTTP/1.1 404 Not Found', 'content-type: text/html'],
          duration: 44.1,
        })
      : check('HTTP', '200, application/json', { duration: 44.1 }),
  ];
}
