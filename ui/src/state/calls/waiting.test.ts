import { expect, it } from 'vitest';
import type { ServerQuestion } from '@/backend/bindings';
import { waitingOf } from './questions';

const SERVER = 'mcp-json:asking';

function asked(call: string | null, at: number, server = SERVER): ServerQuestion {
  return {
    id: at,
    server,
    method: 'elicitation/create',
    params: '{}',
    at,
    call,
    frame: null,
    beforeAnotherTry: false,
    timeLeft: null,
    remark: null,
    awaitsModel: false,
  };
}

function waited(call: string | null, from: number, to: number, server = SERVER) {
  return { server, call, from, to };
}

const CALL = { server: SERVER, call: 'mine', began: 1000 };

it('counts the questions of a call and those of which the call is unknown, and no others', () => {
  const open = [asked('mine', 4000), asked('other', 2000), asked('mine', 1500, 'mcp-json:else')];
  expect(waitingOf({ open, waits: [] }, CALL)).toEqual({ since: 4000, before: 0 });
  const unknown = [asked(null, 3000), asked('mine', 4000)];
  expect(waitingOf({ open: unknown, waits: [] }, CALL)).toEqual({ since: 3000, before: 0 });
});

it('counts a time once in which several questions waited, and none before the call began', () => {
  const waits = [waited(null, 500, 1200), waited('mine', 2000, 3000), waited('mine', 2500, 3500)];
  expect(waitingOf({ open: [], waits }, CALL)).toEqual({ since: null, before: 1700 });
  expect(waitingOf({ open: [asked('mine', 3200)], waits }, CALL)).toEqual({
    since: 3200,
    before: 1400,
  });
});

it('counts the confirmation of a call, which is not sent before that', () => {
  const confirming = [{ id: 1, server: SERVER, call: 'mine', at: 1100 }];
  expect(waitingOf({ open: [], confirming, waits: [] }, CALL)).toEqual({ since: 1100, before: 0 });
  const other = { ...CALL, call: 'other' };
  expect(waitingOf({ open: [], confirming, waits: [] }, other)).toEqual({ since: null, before: 0 });
});
