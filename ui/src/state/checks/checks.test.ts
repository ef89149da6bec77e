import { beforeEach, expect, test } from 'vitest';
import type { Era, Finding, LoadReport } from '@/backend/bindings';
import { useChecks } from './checks';

const server = 'mcp-json:files';

const check: Finding<Era> = {
  rule: 'ping',
  title: 'A ping is answered with an empty result',
  verdict: 'passed',
  subject: 'legacy',
  message: null,
  clause: { title: 'MCP 2025-11-25, Ping, Behavior requirements', url: null, level: 'must' },
  exchanges: [7],
  evidence: [],
  duration: null,
};

beforeEach(() => useChecks.setState({ shown: {}, conformance: {}, load: {} }));

test('a new run of checks begins with none, and its end brings them in their order', () => {
  const { applyConformance } = useChecks.getState();
  applyConformance({ type: 'started', server });
  applyConformance({ type: 'checked', server, check });
  expect(useChecks.getState().conformance[server]).toMatchObject({
    isRunning: true,
    checks: [check],
    report: null,
  });
  const first = { ...check, rule: 'handshake' };
  const report = {
    server: 'files',
    checks: [first, check],
    suite: null,
    suiteProblem: null,
    totals: {
      passed: 2,
      failed: 0,
      error: 0,
      warning: 0,
      overridden: 0,
      note: 0,
      skipped: 0,
      notApplicable: 0,
    },
    duration: 12,
    isStopped: false,
  };
  applyConformance({ type: 'ended', server, report, problem: null });
  const ended = useChecks.getState().conformance[server];
  expect(ended?.isRunning).toBe(false);
  expect(ended?.checks).toEqual([first, check]);
  applyConformance({ type: 'started', server });
  expect(useChecks.getState().conformance[server]?.checks).toEqual([]);
});

test('a load run that cannot begin keeps the reason', () => {
  const { applyLoad } = useChecks.getState();
  applyLoad({ type: 'started', server, total: 100 });
  applyLoad({ type: 'ended', server, report: null, problem: 'The server has no tool named x.' });
  expect(useChecks.getState().load[server]).toMatchObject({
    isRunning: false,
    total: 100,
    problem: 'The server has no tool named x.',
  });
  const report = { succeeded: 100, isStopped: false } as LoadReport;
  applyLoad({ type: 'started', server, total: 100 });
  applyLoad({ type: 'ended', server, report, problem: null });
  expect(useChecks.getState().load[server]).toMatchObject({ report, problem: null });
});
