import { beforeEach, expect, test, vi } from 'vitest';
import type { Snapshot } from '@/backend/bindings';
import { stdioServer } from '@/test-support/servers';
import page from '../../index.html?raw';
import { afterFrame, drawFrame, readGiven } from './frame';

beforeEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset.theme;
  document.body.innerHTML = /<body>([\s\S]*)<\/body>/.exec(page)?.[1] as string;
});

/** Hands the page out with a snapshot, as the host does. */
function handOut(given: unknown): Snapshot | undefined {
  const place = document.getElementById('given') as HTMLElement;
  place.textContent = typeof given === 'string' ? given : JSON.stringify(given);
  return readGiven();
}

function snapshot(names: readonly string[], more: object = {}) {
  return {
    project: { name: 'shop', path: '/shop', dataDirectory: '' },
    servers: names.map((name) =>
      stdioServer({ name, scope: 'project-root', line: 1, command: 'node', args: [] }),
    ),
    files: [],
    settings: { theme: 'dark', order: [] },
    recording: { frames: 0 },
    ...more,
  };
}

const rows = () =>
  [...document.querySelectorAll('.frame-list > div')].map((row) => row.textContent);

test('a page as it is built has a frame and no snapshot', () => {
  expect(readGiven()).toBeUndefined();
  drawFrame(readGiven());
  expect(document.querySelector('.frame')).toHaveAttribute('aria-hidden', 'true');
  expect(rows()).toEqual([]);
});

test('the frame names the project and its servers, in the chosen theme', () => {
  drawFrame(handOut(snapshot(['api', 'docs'])));
  expect(document.querySelector('.frame-project')).toHaveTextContent('shop');
  expect(rows()).toEqual([expect.any(String), 'api', 'docs']);
  expect(document.documentElement.dataset.theme).toBe('dark');
});

test('a name is text, and its hidden characters are seen', () => {
  drawFrame(handOut(snapshot(['<img src=x>', 'a\u202eb'])));
  expect(document.querySelector('.frame img')).toBeNull();
  expect(rows()[1]).toBe('<img src=x>');
  expect(rows()[2]).not.toContain('\u202e');
});

test('a collapsed group is one row', () => {
  localStorage.setItem('sightglass.sidebar.folded', '["yours", "project", "built-in"]');
  drawFrame(handOut(snapshot(['api', 'docs'])));
  expect(rows()).toHaveLength(1);
});

test('no more is drawn than a window shows', () => {
  const names = Array.from({ length: 5000 }, (_, index) => `server ${index}`);
  drawFrame(handOut(snapshot(names)));
  expect(rows().length).toBeLessThanOrEqual(101);
});

test('a snapshot that is broken, or what is remembered of the layout, is passed over', () => {
  localStorage.setItem('sightglass.panes.window.horizontal.servers-server', '{"servers":"wide"}');
  expect(handOut('{"project":')).toBeUndefined();
  drawFrame(undefined);
  const frame = document.querySelector<HTMLElement>('.frame');
  expect(frame?.style.getPropertyValue('--frame-side')).toMatch(/^\d+px$/);
});

test('the code of the window is run once, painted or not', () => {
  vi.useFakeTimers();
  const run = vi.fn();
  afterFrame(run);
  expect(run).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('load'));
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
