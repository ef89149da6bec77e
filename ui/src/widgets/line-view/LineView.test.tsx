import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import { stubBackend } from '@/test-support/backend';
import { stubResizeObserver } from '@/test-support/no-layout';
import { LineView } from './LineView';

const LINES = 400_000;
const USUAL = 18;
const WRAPPED = 36;
const VIEWPORT = 360;

const backend = stubBackend({
  getPayloadLines: async (_, first, count) => ({
    lines: Array.from({ length: count }, (_line, at) => `line ${first + at}`),
    numbers: Array.from({ length: count }, (_number, at) => first + at + 1),
    firstLine: first,
    totalLines: LINES,
    totalSize: 1,
  }),
});

beforeEach(() => {
  stubResizeObserver();
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(VIEWPORT);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(WRAPPED);
});

async function shown() {
  await act(async () => {
    render(
      <BackendContext.Provider value={backend}>
        <LineView query={{ frame: 1, pointer: '/text', form: 'text' }} label="Text" />
      </BackendContext.Provider>,
    );
  });
  return screen.getByRole('region', { name: 'Text' });
}

const rowsOf = (view: HTMLElement) => [...view.querySelectorAll<HTMLElement>('[data-index]')];
const heightOf = (view: HTMLElement) => (view.firstElementChild as HTMLElement).style.height;

test('of a long text the lines in sight are drawn and measured, and no others', async () => {
  const view = await shown();
  const rows = rowsOf(view);
  expect(rows.length).toBeGreaterThan(VIEWPORT / WRAPPED);
  expect(rows.length).toBeLessThan(40);
  expect(rows[1]?.style.top).toBe(`${WRAPPED}px`);
  expect(heightOf(view)).toBe(`${LINES * USUAL + measuredIn(view)}px`);
});

test('lines above that turn out taller leave those in sight where they are', async () => {
  const view = await shown();
  const before = measuredIn(view);
  view.scrollTop = 9_000 + before;
  await act(async () => fireEvent.scroll(view));
  const rows = rowsOf(view);
  const first = Number(rows[0]?.dataset.index);
  // Twelve rows above are drawn too, and each was taken for a usual one.
  expect(view.scrollTop).toBe(9_000 + before + 12 * (WRAPPED - USUAL));
  expect(rows[0]?.style.top).toBe(`${first * USUAL + before}px`);
});

/** Pixels by which the measured rows are taller than usual. */
function measuredIn(view: HTMLElement): number {
  return Number.parseInt(heightOf(view), 10) - LINES * USUAL;
}
