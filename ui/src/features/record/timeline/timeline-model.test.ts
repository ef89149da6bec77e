import { expect, test } from 'vitest';
import type { Timeline, TimelineQuery } from '@/backend/bindings';
import { TimelineModel } from './timeline-model';

const MINUTE = 60_000;

/** An answer about a record that reaches from one moment to another. */
function answer(from: number, to: number): Timeline {
  return {
    time: { from, to },
    whole: { from, to },
    tracks: [],
    bars: [],
    bins: [],
    overview: [],
    total: 0,
    complete: true,
    problem: null,
  };
}

/** A model whose questions the test answers. */
function modelOf() {
  const asked: { query: TimelineQuery; answer: (timeline: Timeline) => Promise<void> }[] = [];
  const loader = {
    getTrafficTimeline: (query: TimelineQuery) =>
      new Promise<Timeline>((resolve) => {
        asked.push({
          query,
          answer: async (timeline) => {
            resolve(timeline);
            await Promise.resolve();
            await Promise.resolve();
          },
        });
      }),
    getTrafficTimelineStep: () => Promise.resolve(null),
    getTrafficTimelineOperation: () => Promise.reject(new Error('nothing is selected')),
  };
  const query = { filter: '', kinds: [], invert: false, server: null, until: null };
  const model = new TimelineModel(loader, () => query);
  model.open();
  model.resize(800, 90);
  return { model, asked };
}

test('the first answer is drawn where it is, also where another question waits', async () => {
  const { model, asked } = modelOf();
  model.resize(780, 90);
  await asked[0]?.answer(answer(1000, 3000));
  expect(model.view).toEqual({ from: 960, to: 3040 });
  expect(asked[1]?.query.time).toEqual({ from: 960, to: 3040 });
});

test('a record that ended long ago is shown once the last that went on is over', async () => {
  const { model, asked } = modelOf();
  const now = 500_000 * MINUTE;
  await asked[0]?.answer(answer(0, now));
  expect(model.view.to).toBeGreaterThan(now);
  await asked[1]?.answer(answer(0, MINUTE));
  expect(model.view.from).toBeLessThan(MINUTE);
  expect(model.view.to).toBeGreaterThan(MINUTE);
  expect(model.view.to).toBeLessThan(20 * MINUTE);
});

test('zooming leaves the tracks and the overview of the answer before, where they say the same', async () => {
  const { model, asked } = modelOf();
  const of = (count: number): Timeline => ({
    ...answer(1000, 3000),
    overview: [{ count, outcome: 'ok' }],
    tracks: [
      { serverId: 'a:b', server: 'b', track: 'sent', first: 0, count: 1, operations: count },
    ],
  });
  await asked[0]?.answer(of(1));
  await asked[1]?.answer(of(1));
  const before = model.timeline;
  model.zoom(0.5);
  await asked[2]?.answer(of(1));
  expect(model.timeline).not.toBe(before);
  expect(model.timeline?.overview).toBe(before?.overview);
  expect(model.timeline?.tracks).toBe(before?.tracks);
  model.zoom(0.5);
  await asked[3]?.answer(of(2));
  expect(model.timeline?.overview).not.toBe(before?.overview);
});

test('asks for the lanes in sight and a few beyond, and for none above the first', () => {
  const { asked } = modelOf();
  expect(asked[0]?.query.firstLane).toBe(0);
  expect(asked[0]?.query.lanes).toBe(5 + 8);
});
