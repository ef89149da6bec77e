import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { atOnceInFrame, forgetChange, inFrameOfItsOwn, latestInFrame } from './frames';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

it('changes are drawn one in a frame, in their order, and each once', () => {
  const drawn: string[] = [];
  const clock = () => drawn.push('clock');
  const record = () => drawn.push('record');
  inFrameOfItsOwn(clock);
  inFrameOfItsOwn(record);
  inFrameOfItsOwn(clock);
  inFrameOfItsOwn(record);
  expect(drawn).toEqual(['clock']);
  vi.advanceTimersToNextFrame();
  vi.advanceTimersByTime(1);
  expect(drawn).toEqual(['clock', 'record']);
  vi.advanceTimersByTime(100);
  expect(drawn).toEqual(['clock', 'record', 'clock']);
  inFrameOfItsOwn(record);
  expect(drawn.length).toBe(4);
});

it('a change that is no longer wanted is not drawn', () => {
  const drawn: string[] = [];
  const late = () => drawn.push('late');
  inFrameOfItsOwn(() => drawn.push('first'));
  inFrameOfItsOwn(late);
  forgetChange(late);
  vi.advanceTimersByTime(100);
  expect(drawn).toEqual(['first']);
});

it('what is drawn at once leaves no room for others in its frame, and waits for none', () => {
  const drawn: string[] = [];
  atOnceInFrame(() => drawn.push('servers'));
  inFrameOfItsOwn(() => drawn.push('clock'));
  atOnceInFrame(() => drawn.push('servers again'));
  expect(drawn).toEqual(['servers', 'servers again']);
  vi.advanceTimersByTime(100);
  expect(drawn).toEqual(['servers', 'servers again', 'clock']);
});

it('of what comes faster than frames the latest is drawn', () => {
  const drawn: number[] = [];
  const draw = latestInFrame((value: number) => drawn.push(value));
  for (const value of [1, 2, 3]) draw(value);
  vi.advanceTimersByTime(100);
  expect(drawn).toEqual([1, 3]);
});
