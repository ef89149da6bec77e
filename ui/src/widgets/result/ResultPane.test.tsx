import { act, render } from '@testing-library/react';
import { flushSync } from 'react-dom';
import { expect, test } from 'vitest';
import { BackendContext } from '@/backend/backend';
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
