import { beforeEach, describe, expect, it } from 'vitest';
import type { ServerQuestion } from '@/backend/bindings';
import { type QuestionChange, useQuestions } from './questions';

function question(id: number): ServerQuestion {
  return {
    id,
    server: 'mcp-json:loud',
    method: 'elicitation/create',
    params: '{}',
    at: 0,
    call: null,
    frame: null,
    beforeAnotherTry: false,
    timeLeft: null,
    remark: null,
    awaitsModel: false,
  };
}

const arrived = (id: number): QuestionChange => ({
  type: 'questionArrived',
  question: question(id),
});

beforeEach(() => useQuestions.setState({ open: [] }));

describe('the questions of servers', () => {
  it('keep the order in which they came, however they are batched', () => {
    useQuestions
      .getState()
      .apply([arrived(1), arrived(2), { type: 'questionSettled', id: 1, how: 'answered' }]);
    useQuestions.getState().apply([arrived(3), arrived(2)]);
    expect(useQuestions.getState().open.map(({ id }) => id)).toEqual([3, 2]);
  });

  it('are drawn once for a batch', () => {
    let drawn = 0;
    const end = useQuestions.subscribe(() => {
      drawn += 1;
    });
    useQuestions.getState().apply(Array.from({ length: 5000 }, (_, id) => arrived(id)));
    end();
    expect(drawn).toBe(1);
    expect(useQuestions.getState().open).toHaveLength(5000);
  });
});
