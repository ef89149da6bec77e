import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ServerAnswer, ServerQuestion } from '@/backend/bindings';
import { JsonAnswer } from './JsonAnswer';

vi.mock('@/components/json-editor/JsonEditor', () => ({
  JsonEditor: (props: { label: string; value: string; onChange(text: string): void }) => (
    <textarea
      aria-label={props.label}
      value={props.value}
      onChange={({ target }) => props.onChange(target.value)}
    />
  ),
}));

const QUESTION: ServerQuestion = {
  id: 31,
  server: 'mcp-json:asking',
  method: 'example/ask',
  params: '{}',
  at: null,
  call: null,
  frame: null,
  beforeAnotherTry: false,
  timeLeft: null,
  remark: null,
  awaitsModel: false,
};

it('shows its key only where the key accepts it, and says why it does not', async () => {
  const answers: ServerAnswer[] = [];
  render(
    <JsonAnswer
      question={QUESTION}
      isSending={false}
      start="{}"
      onAnswer={(answer) => answers.push(answer)}
    />,
  );
  const note = 'The answer is as it began. The button accepts it; the key does not.';
  const accept = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Accept/ });
  expect(accept()).toHaveAccessibleName('Accept');
  expect(accept()).toBeEnabled();
  expect(accept().closest('[data-accepts]')).toBeNull();
  expect(screen.getByText(note)).toBeVisible();
  await act(async () => accept().click());
  expect(answers).toEqual([{ type: 'result', json: '{}' }]);

  fireEvent.change(screen.getByRole('textbox'), { target: { value: '{"a":1}' } });
  expect(accept()).toHaveAccessibleName(/^Accept ?Ctrl\+Enter$/);
  expect(accept().closest('[data-accepts]')).not.toBeNull();
  expect(screen.queryByText(note)).toBeNull();
});
