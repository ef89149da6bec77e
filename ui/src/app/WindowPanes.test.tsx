import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { startWidth } from './sidebar-width';
import { WindowPanes } from './WindowPanes';

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('innerWidth', 1201);
});

const line = () => screen.getByRole('separator', { name: 'Resize the sidebar' });

test('the line moves by keys, as far as both panes have room', async () => {
  const user = userEvent.setup();
  render(<WindowPanes sidebar={<p>Servers</p>} main={<p>Server</p>} />);
  expect(line()).toHaveAttribute('aria-valuenow', '244');
  line().focus();
  await user.keyboard('{ArrowRight}');
  expect(line()).toHaveAttribute('aria-valuenow', '270');
  await user.keyboard('{End}{ArrowRight}');
  expect(line()).toHaveAttribute('aria-valuenow', '880');
  await user.keyboard('{Home}{ArrowLeft}');
  expect(line()).toHaveAttribute('aria-valuenow', '150');
});

test('the share is remembered for the next time, and a double click forgets it', async () => {
  const user = userEvent.setup();
  render(<WindowPanes sidebar={null} main={null} />);
  line().focus();
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(startWidth()).toBe(296);
  fireEvent.doubleClick(line());
  expect(line()).toHaveAttribute('aria-valuenow', '244');
  expect(startWidth()).toBe(244);
});

test('a width that nobody chose follows from the window, and a chosen one stays', async () => {
  const user = userEvent.setup();
  render(<WindowPanes sidebar={null} main={null} />);
  const resize = (width: number) => {
    vi.stubGlobal('innerWidth', width);
    fireEvent(window, new Event('resize'));
  };
  resize(720);
  expect(line()).toHaveAttribute('aria-valuenow', '184');
  resize(1201);
  expect(line()).toHaveAttribute('aria-valuenow', '244');
  line().focus();
  await user.keyboard('{ArrowRight}');
  resize(720);
  expect(line()).toHaveAttribute('aria-valuenow', '270');
});

test('a share of an earlier version counts, and one that is broken does not', () => {
  localStorage.setItem(
    'sightglass.panes.window.horizontal.servers-server',
    '{"servers":25,"server":75}',
  );
  expect(startWidth()).toBe(300);
  localStorage.setItem('sightglass.panes.window.horizontal.servers-server', '{"servers":"wide"}');
  expect(startWidth()).toBe(244);
});

test('a move draws neither pane again', async () => {
  const user = userEvent.setup();
  const drawn = vi.fn();
  function Pane() {
    drawn();
    return null;
  }
  render(<WindowPanes sidebar={<Pane />} main={null} />);
  drawn.mockClear();
  line().focus();
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
  expect(drawn).not.toHaveBeenCalled();
});
