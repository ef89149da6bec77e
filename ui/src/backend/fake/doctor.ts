import type { DoctorCheck, DoctorReport, ServerView } from '../bindings';

/** What the doctor says about a server, told from its status. */
export function doctorReport(server: ServerView): DoctorReport {
  const { failure } = server.status;
  const checks: DoctorCheck[] = [
    {
      title: 'Program',
      verdict: 'passed',
      summary: '/usr/bin/npx',
      evidence: ['PATH: /usr/local/bin:/usr/bin:/bin'],
      duration: null,
    },
    {
      title: 'Start',
      verdict: 'passed',
      summary: 'the program was started',
      evidence: [],
      duration: 62,
    },
    {
      title: 'Exit',
      verdict: failure ? 'failed' : 'passed',
      summary: failure ? failure.reason : 'it did not end by itself',
      evidence: failure ? ['no answer to initialize (id 1)'] : [],
      duration: null,
    },
    {
      title: 'Handshake',
      verdict: failure ? 'skipped' : 'passed',
      summary: failure ? 'it did not come to that' : server.name,
      evidence: [],
      duration: null,
    },
  ];
  const cause = failure?.hint.text ?? null;
  return {
    server: server.id,
    state: 'finished',
    checks,
    cause,
    action: failure?.hint.action ?? null,
    failure,
    connection: 1,
    text: [
      `Doctor: ${server.name}`,
      ...checks.map(({ title, summary }) => `${title}: ${summary}`),
    ].join('\n'),
  };
}
