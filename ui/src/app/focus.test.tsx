import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { focusMain } from './focus';

beforeEach(() => {
  // Nothing is laid out here, so that nothing would count as seen.
  vi.spyOn(HTMLElement.prototype, 'offsetParent', 'get').mockReturnValue(document.body);
});

afterEach(() => {
  // A key ends the search.
  window.dispatchEvent(new KeyboardEvent('keydown'));
  vi.restoreAllMocks();
  document.body.innerHTML = '';
});

function arriveAt(panel: string): HTMLElement | null {
  document.body.innerHTML = `<div data-main><div role="tabpanel">${panel}</div></div>`;
  focusMain();
  return document.querySelector('[role="tabpanel"]');
}

it('gives the focus of a panel to its first control', async () => {
  arriveAt('<button>Open</button>');
  await vi.waitFor(() => expect(document.activeElement).toHaveTextContent('Open'));
});

it('gives the focus to no button that confirms', async () => {
  const confirms = '<span data-confirms><button>Approve and connect</button></span>';
  const panel = arriveAt(confirms);
  await vi.waitFor(() => expect(document.activeElement).toBe(panel));
  arriveAt(`${confirms}<button>Open</button>`);
  await vi.waitFor(() => expect(document.activeElement).toHaveTextContent('Open'));
});

it('draws no ring around a panel of text to which nobody went by a key', async () => {
  arriveAt('Text');
  const panel = document.querySelector<HTMLElement>('[role="tabpanel"]');
  await vi.waitFor(() => expect(panel).toHaveFocus());
  expect(panel).toHaveAttribute('data-quiet');
  // Another window has the focus, and gives it back.
  panel?.dispatchEvent(new FocusEvent('blur'));
  expect(panel).toHaveAttribute('data-quiet');
  panel?.blur();
  expect(panel).not.toHaveAttribute('data-quiet');
});
