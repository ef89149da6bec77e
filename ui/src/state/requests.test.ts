import { beforeEach, describe, expect, it } from 'vitest';
import type { ServerRequest } from '@/backend/bindings';
import { type RequestChange, useRequests } from './requests';

function request(id: number): ServerRequest {
  return {
    id,
    server: 'mcp-json:loud',
    method: 'elicitation/create',
    params: '{}',
    at: 0,
    call: null,
    frame: null,
    before_another_try: false,
  };
}

const arrived = (id: number): RequestChange => ({ type: 'request_arrived', request: request(id) });

beforeEach(() => useRequests.setState({ open: [] }));

describe('the questions of servers', () => {
  it('keep the order in which they came, however they are batched', () => {
    useRequests
      .getState()
      .apply([arrived(1), arrived(2), { type: 'request_settled', id: 1, how: 'answered' }]);
    useRequests.getState().apply([arrived(3), arrived(2)]);
    expect(useRequests.getState().open.map(({ id }) => id)).toEqual([3, 2]);
  });

  it('are drawn once for a batch', () => {
    let drawn = 0;
    const end = useRequests.subscribe(() => {
      drawn += 1;
    });
    useRequests.getState().apply(Array.from({ length: 5000 }, (_, id) => arrived(id)));
    end();
    expect(drawn).toBe(1);
    expect(useRequests.getState().open).toHaveLength(5000);
  });
});
