import { act, render, screen } from '@testing-library/react';
import { flushSync } from 'react-dom';
import { expect, test } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { CallReport } from '@/backend/bindings';
import { useDialogs } from '@/state/dialogs';
import { stubBackend } from '@/test-support/backend';
import { stubResizeObserver } from '@/test-support/no-layout';
import { ResultPane } from './ResultPane';

test('what is given anew is not drawn at once, but after what else changes', async () => {
  stubResizeObserver();
  const backend = stubBackend();
  let notes = 0;
  function Note({ text }: { text: string }) {
    notes += 1;
    return <p>{text}</p>;
  }
  const pane = (text: string) => (
    <BackendContext.Provider value={backend}>
      <ResultPane run={undefined} server="built-in:demo" name="echo" note={<Note text={text} />}>
        <p>No result</p>
      </ResultPane>
    </BackendContext.Provider>
  );
  const { rerender, container } = render(pane('one'));
  const before = notes;
  await act(async () => {
    flushSync(() => rerender(pane('two')));
    expect(notes).toBe(before);
    expect(container).toHaveTextContent('one');
  });
  expect(container).toHaveTextContent('two');
});

const text = { pointer: '/result/content/0/text', text: 'hello', size: 5, lines: null };
const report = {
  request: { end: 'result', requestFrame: null, responseFrame: null, duration: 5, waited: 0 },
  result: {
    isError: false,
    blocks: [{ pointer: '/result/content/0', body: { type: 'text', text } }],
    structured: null,
    problems: [],
  },
  error: null,
} as unknown as CallReport;

test('the menu above a result has its views apart, and makes a test of the call', async () => {
  stubResizeObserver();
  const call = { server: 'demo', name: 'echo', method: 'tools/call', params: '{}' };
  render(
    <BackendContext.Provider value={stubBackend()}>
      <ResultPane
        run={{ key: '1', startedAt: 0, input: '{}', report }}
        server="demo"
        name="echo"
        call={call}
      >
        <p>No result</p>
      </ResultPane>
    </BackendContext.Provider>,
  );
  // One control for each: the result, the value, and the block that it stands in.
  const buttons = screen.getAllByRole('button').map((button) => button.textContent?.trim());
  expect(buttons).toEqual(['Result', 'Text', 'Expect']);
  await act(async () => screen.getByRole('button', { name: 'Result' }).click());
  const views = await screen.findAllByRole('menuitemradio');
  expect(views.map(({ textContent }) => textContent)).toEqual(['Result', 'Raw', 'Request']);
  expect(views[0]).toBeChecked();
  await act(async () => screen.getByRole('menuitem', { name: 'Save as test…' }).click());
  expect(useDialogs.getState().dialog).toMatchObject({ kind: 'save-request', ...call });
});
