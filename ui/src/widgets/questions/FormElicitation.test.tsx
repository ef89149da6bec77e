import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { SchemaCheck, ServerAnswer, ServerQuestion } from '@/backend/bindings';
import { stubBackend } from '@/test-support/backend';
import { stubResizeObserver } from '@/test-support/no-layout';
import { FormElicitation } from './FormElicitation';

stubResizeObserver();

const VALID: SchemaCheck = { valid: true, problems: [], notChecked: null };
const checkValue = vi.fn<() => Promise<SchemaCheck>>();

beforeEach(() => {
  checkValue.mockReset().mockResolvedValue(VALID);
});

function question(id: number, properties: object): ServerQuestion {
  return {
    id,
    server: 'mcp-json:asking',
    method: 'elicitation/create',
    params: JSON.stringify({
      message: 'Anything to say?',
      requestedSchema: { type: 'object', properties },
    }),
    at: Date.now(),
    call: 'call',
    frame: null,
    beforeAnotherTry: false,
    timeLeft: null,
    remark: null,
    awaitsModel: false,
  };
}

/** Shows a question, and returns what is answered. */
async function open(asked: ServerQuestion): Promise<ServerAnswer[]> {
  const answers: ServerAnswer[] = [];
  render(
    <BackendContext.Provider value={stubBackend({ checkValue })}>
      <FormElicitation
        question={asked}
        isSending={false}
        onAnswer={(answer) => answers.push(answer)}
      />
    </BackendContext.Provider>,
  );
  await act(async () => {});
  return answers;
}

const accept = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Accept(Ctrl|$)/ });
const press = (button: HTMLElement) => act(async () => button.click());

it('is accepted with nothing filled in by the button that says so alone', async () => {
  const answers = await open(question(1, { note: { type: 'string', title: 'Note' } }));
  expect(accept().disabled).toBe(true);
  expect(accept().closest('[data-accepts]')).toBeNull();
  expect(screen.getByText('Nothing is filled in.')).toBeTruthy();
  await press(screen.getByRole('button', { name: 'Accept with nothing filled in' }));
  expect(answers).toEqual([{ type: 'result', json: '{"action":"accept","content":{}}' }]);
});

it('is accepted as ever once something is filled in', async () => {
  const answers = await open(question(2, { note: { type: 'string', title: 'Note' } }));
  fireEvent.change(screen.getByRole('textbox', { name: /Note/ }), { target: { value: 'Yes' } });
  await act(async () => {});
  expect(screen.queryByText('Nothing is filled in.')).toBeNull();
  expect(accept().closest('[data-accepts]')).not.toBeNull();
  await press(accept());
  const results = answers.map((answer) => answer.type === 'result' && JSON.parse(answer.json));
  expect(results).toEqual([{ action: 'accept', content: { note: 'Yes' } }]);
});

it('is accepted at once where it asks for nothing', async () => {
  const answers = await open(question(3, {}));
  await press(accept());
  expect(answers).toEqual([{ type: 'result', json: '{"action":"accept","content":{}}' }]);
});

it('counts as unwritten while its check goes on, and moves no button when that ends', async () => {
  let settle = (_check: SchemaCheck) => {};
  checkValue.mockImplementation(
    () =>
      new Promise((resolve) => {
        settle = resolve;
      }),
  );
  const names = () => screen.getAllByRole('button').map((button) => button.textContent);
  await open(question(4, { note: { type: 'string', title: 'Note' } }));
  expect(accept().disabled).toBe(true);
  expect(accept().closest('[data-accepts]')).toBeNull();
  const shown = ['Dismiss', 'Decline', 'AcceptCtrl+Enter'];
  expect(names().slice(-3)).toEqual(shown);
  expect(names()).not.toContain('Accept with nothing filled in');
  const violation = {
    pointer: '/note',
    message: 'Required.',
    sentence: '`note` is missing.',
    missing: true,
  };
  await act(async () => settle({ valid: false, problems: [violation], notChecked: null }));
  expect(names().slice(-3)).toEqual(shown);
  expect(names()).not.toContain('Accept with nothing filled in');
});
