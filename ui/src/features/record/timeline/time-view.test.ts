import { expect, it } from 'vitest';
import { fitted, following, panned, showing, ticks, zoomed } from './time-view';

const WHOLE = { from: 0, to: 1000 };

it('zooms around the pointer, and back again', () => {
  const near = zoomed({ from: 0, to: 1000 }, 0.5, 250, WHOLE);
  expect(near).toEqual({ from: 125, to: 625 });
  expect(zoomed(near, 2, 250, WHOLE)).toEqual({ from: 0, to: 1000 });
});

it('zooms no further than moments are known, and out no further than there is something', () => {
  let view = { from: 0, to: 1000 };
  for (let step = 0; step < 200; step += 1) view = zoomed(view, 0.5, 500, WHOLE);
  expect(view.to - view.from).toBeCloseTo(0.05);
  for (let step = 0; step < 200; step += 1) view = zoomed(view, 2, 500, WHOLE);
  expect(view.to - view.from).toBeCloseTo(1300);
});

it('keeps something in sight while it is moved', () => {
  let view = { from: 0, to: 100 };
  for (let step = 0; step < 100; step += 1) view = panned(view, 1, WHOLE);
  expect(view.from).toBeLessThan(1000);
  for (let step = 0; step < 100; step += 1) view = panned(view, -1, WHOLE);
  expect(view.to).toBeGreaterThan(0);
});

it('fits one instant, follows the latest, and brings a bar into sight', () => {
  const instant = fitted({ from: 5, to: 5 });
  expect(instant.from).toBeLessThan(5);
  expect(instant.to).toBeGreaterThan(5);
  expect(following({ from: 0, to: 100 }, 500)).toEqual({ from: 402, to: 502 });
  const view = { from: 0, to: 100 };
  expect(showing(view, 20, 30)).toBe(view);
  const later = showing(view, 500, 520);
  expect(later.from).toBeLessThan(500);
  expect(later.to).toBeGreaterThan(520);
  const long = showing(view, 500, 5000);
  expect(long.from).toBeLessThan(500);
  expect(long.to).toBeGreaterThan(500);
  expect(showing(view, -50, -40).from).toBeLessThan(-50);
});

it('marks round moments, from parts of a millisecond to days', () => {
  for (const span of [0.05, 1, 7, 300, 2_500, 90_000, 7e6, 1e9, 3e10]) {
    const view = { from: 1_700_000_000_123, to: 1_700_000_000_123 + span };
    const marks = ticks(view, 800, 90);
    expect(marks.length).toBeGreaterThan(0);
    expect(marks.length).toBeLessThan(10);
    expect(new Set(marks.map(({ label }) => label)).size).toBe(marks.length);
  }
});
