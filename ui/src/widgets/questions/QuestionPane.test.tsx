import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { AnswerRuleDraft, ServerQuestion } from '@/backend/bindings';
import { useDialogs } from '@/state/dialogs';
import { stubBackend } from '@/test-support/backend';
import { stubResizeObserver } from '@/test-support/no-layout';
import QuestionPane from './QuestionPane';

stubResizeObserver();

const RULE: AnswerRuleDraft = { text: '[[rule]]', leftOut: [] };
const createRuleFromQuestion =
  vi.fn<(id: number, written: string | null) => Promise<AnswerRuleDraft>>();

beforeEach(() => {
  createRuleFromQuestion.mockReset().mockResolvedValue(RULE);
  useDialogs.setState(useDialogs.getInitialState(), true);
});

async function open(id: number, method: string, params: object): Promise<void> {
  const question: ServerQuestion = {
    id,
    server: 'mcp-json:asking',
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
  render(
    <BackendContext.Provider value={stubBackend({ createRuleFromQuestion })}>
      <QuestionPane question={question} />
    </BackendContext.Provider>,
  );
  await act(async () => {});
}

const always = () => screen.queryByRole('button', { name: 'Always answer like this…' });
const press = (button: HTMLElement | null) => act(async () => button?.click());
const dialog = () => useDialogs.getState().dialog;

it('makes a rule of a form once it is filled in, of what was typed', async () => {
  await open(101, 'elicitation/create', {
    message: 'Continue?',
    requestedSchema: {
      type: 'object',
      properties: {
        why: { type: 'string', title: 'Why' },
        all: { type: 'boolean', default: true },
      },
    },
  });
  expect(always()).toBeNull();
  fireEvent.change(screen.getByRole('textbox', { name: /Why/ }), { target: { value: 'Tests' } });
  await press(always());
  const [id, written] = createRuleFromQuestion.mock.calls[0] ?? [];
  expect(id).toBe(101);
  expect(JSON.parse(written ?? '')).toMatchObject({ why: 'Tests' });
  expect(dialog()).toMatchObject({ kind: 'answer-rules', addition: RULE });
});

it('makes a rule of a reply with its text, and of no reply that is not written', async () => {
  await open(102, 'sampling/createMessage', { messages: [], maxTokens: 10 });
  expect(always()).toBeNull();
  fireEvent.change(screen.getByRole('textbox', { name: 'Text 1' }), { target: { value: 'Dear' } });
  await press(always());
  expect(createRuleFromQuestion.mock.calls).toEqual([[102, '{"text":"Dear"}']]);
});

it('begins a rule about a page, which does not open it', async () => {
  await open(103, 'elicitation/create', {
    mode: 'url',
    message: 'Sign in',
    url: 'https://example.com/',
  });
  expect(always()).toBeNull();
  await press(screen.getByRole('button', { name: 'Make a rule…' }));
  expect(createRuleFromQuestion.mock.calls).toEqual([[103, null]]);
  expect(dialog()).toEqual({ kind: 'answer-rules', addition: RULE });
});
