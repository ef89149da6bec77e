import { beforeEach, describe, expect, it } from 'vitest';
import {
  actionsOnly,
  type Entry,
  listedActions,
  matching,
  recents,
  rememberRecent,
} from './palette-entries';
import { suits } from './shortcuts';

const entry = (title: string, ...words: string[]): Entry => ({
  id: title,
  title,
  words,
  detail: null,
  run: () => {},
});

beforeEach(() => localStorage.clear());

describe('the palette', () => {
  it('puts the section with the best match first', () => {
    const sections = [
      { title: 'Actions', entries: [entry('Show or hide echoes'), entry('Clear')] },
      { title: 'Tools', entries: [entry('echo_all'), entry('echo')] },
    ];
    const found = matching(sections, 'echo');
    expect(found.map(({ title }) => title)).toEqual(['Tools', 'Actions']);
    expect(found[0]?.entries.map(({ title }) => title)).toEqual(['echo', 'echo_all']);
    expect(matching(sections, '').map(({ title }) => title)).toEqual(['Actions', 'Tools']);
  });

  it('finds an entry by its other words, after those named so', () => {
    const sections = [
      { title: 'Actions', entries: [entry('Use the dark theme', 'Settings'), entry('Settings')] },
    ];
    const [found] = matching(sections, 'settings');
    expect(found?.entries.map(({ title }) => title)).toEqual(['Settings', 'Use the dark theme']);
  });

  it('takes a > for actions only', () => {
    expect(actionsOnly('> run')).toBe(' run');
    expect(actionsOnly('run')).toBeNull();
  });

  it('lists what is done with a server before themes', () => {
    const ids = listedActions(() => true).map(({ id }) => id);
    expect(ids.indexOf('server.disconnect')).toBeLessThan(ids.indexOf('theme.dark'));
    expect(ids.at(-1)).toBe('theme.dark');
    expect(ids).not.toContain('server.3');
    expect(ids).not.toContain('palette.open');
  });

  it('lists first what is about the place that has the focus', () => {
    const drawer = document.createElement('section');
    drawer.dataset.drawer = '';
    const first = listedActions(
      () => true,
      (action) => suits(action, drawer),
    )[0];
    expect(first?.group).toBe('Traffic');
    const main = document.createElement('div');
    main.dataset.main = '';
    const ids = listedActions(
      () => true,
      (action) => suits(action, main),
    ).map(({ id }) => id);
    expect(ids[0]).toBe('call.run');
    expect(ids.indexOf('rules.edit')).toBeGreaterThan(ids.indexOf('server.connect'));
  });

  it('remembers the last ones, each once', () => {
    for (let number = 0; number < 12; number += 1) rememberRecent({ id: `a${number}` });
    rememberRecent({ id: 'a9' });
    expect(recents().map(({ id }) => id)).toEqual([
      'a9',
      'a11',
      'a10',
      'a8',
      'a7',
      'a6',
      'a5',
      'a4',
    ]);
  });

  it('knows an item of a list that had another name when it was remembered', () => {
    const place = { server: 's', tab: 'resources', list: 'resource_templates', name: 'x' };
    const stored = [{ id: 'place s resource_templates x', place }];
    localStorage.setItem('sightglass.palette.recent', JSON.stringify(stored));
    const known = { ...place, list: 'resourceTemplates' };
    expect(recents()).toEqual([{ id: 'place s resourceTemplates x', place: known }]);
  });
});
