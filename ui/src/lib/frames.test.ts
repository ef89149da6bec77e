import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { forgetChange, inFrameOfItsOwn } from './frames';

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
