import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { type Backend, BackendContext } from '@/backend/backend';
import type { ServerQuestion, ServerView } from '@/backend/bindings';
import { useQuestions } from '@/state/calls/questions';
import { stubResizeObserver } from '@/test-support/no-layout';
import QuestionsTab from './QuestionsTab';

stubResizeObserver();

const server = {
  id: 'mcp-json:asking',
  name: 'asking',
  roots: { folders: [] },
} as unknown as ServerView;

function question(id: number, method: string, params: object): ServerQuestion {
  return {
    id,
    server: server.id,
    method,
    params: JSON.stringify(params),
    at: Date.now(),
    call: 'call',
    frame: null,
    beforeAnotherTry: false,
    timeLeft: null,
    remark: null,
    awaitsModel: false,
  };
}

const sampling = (id: number) =>
  question(id, 'sampling/createMessage', { messages: [], maxTokens: 10 });

const elicitation = (id: number) =>
  question(id, 'elicitation/create', {
    message: 'Please give your name',
    requestedSchema: { type: 'object', properties: { name: { type: 'string', title: 'Name' } } },
  });

function open() {
  return render(
    <BackendContext.Provider value={{} as unknown as Backend}>
      <QuestionsTab server={server} />
    </BackendContext.Provider>,
  );
}

const answerField = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text 1' });

beforeEach(() => useQuestions.setState({ open: [], ended: [], waits: [], chosen: {} }));

it('keeps a half-written answer while something else is shown', () => {
  useQuestions.getState().apply([{ type: 'questionArrived', question: sampling(1) }]);
  const tab = open();
  fireEvent.change(answerField(), { target: { value: 'Dear server' } });
  tab.unmount();
  open();
  expect(answerField().value).toBe('Dear server');
});

it('keeps each answer with its own question, and a form too', () => {
  useQuestions.getState().apply([{ type: 'questionArrived', question: elicitation(11) }]);
  const tab = open();
  const name = () => screen.getByRole<HTMLInputElement>('textbox', { name: /Name/ });
  fireEvent.change(name(), { target: { value: 'Ada' } });
  tab.unmount();
  const again = open();
  expect(name().value).toBe('Ada');
  again.unmount();
  act(() => useQuestions.getState().apply([{ type: 'questionSettled', id: 11, how: 'answered' }]));
  useQuestions.getState().apply([{ type: 'questionArrived', question: elicitation(12) }]);
  open();
  expect(name().value).toBe('');
});

it('says that the call of a question has ended, and leaves what was written to be copied', () => {
  useQuestions.getState().apply([{ type: 'questionArrived', question: sampling(21) }]);
  open();
  fireEvent.change(answerField(), { target: { value: 'Nearly done' } });
  act(() => useQuestions.getState().apply([{ type: 'questionSettled', id: 21, how: 'callEnded' }]));
  expect(screen.getByRole('status').textContent).toContain(
    'The call it belonged to has ended. It can no longer be answered.',
  );
  expect(screen.queryByRole('button', { name: /Accept/ })).toBeNull();
  expect(screen.getByText('Nearly done')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy what you wrote' })).toBeTruthy();
  act(() => screen.getByRole('button', { name: 'Close' }).click());
  expect(screen.getByText('No open questions')).toBeTruthy();
});

it('stays at the question that ended while another waits', () => {
  useQuestions.getState().apply([{ type: 'questionArrived', question: sampling(31) }]);
  useQuestions.getState().apply([{ type: 'questionArrived', question: elicitation(32) }]);
  open();
  act(() => useQuestions.getState().apply([{ type: 'questionSettled', id: 32, how: 'withdrawn' }]));
  expect(screen.getByRole('status').textContent).toContain('The server withdrew this question');
});

it('shows the newest question, unless an answer to another is being written', () => {
  useQuestions.getState().apply([{ type: 'questionArrived', question: sampling(41) }]);
  open();
  act(() => useQuestions.getState().apply([{ type: 'questionArrived', question: sampling(42) }]));
  const selected = () => screen.getByRole('option', { selected: true });
  const rows = screen.getAllByRole('option');
  expect(selected()).toBe(rows[1]);
  fireEvent.change(answerField(), { target: { value: 'Dear' } });
  act(() => useQuestions.getState().apply([{ type: 'questionArrived', question: sampling(43) }]));
  expect(selected()).toBe(rows[1]);
  expect(answerField().value).toBe('Dear');
});
