import { expect, it } from 'vitest';
import { iconsOf } from './icons';

const icons = (...given: unknown[]) => iconsOf(JSON.stringify({ icons: given }));

it('draws what was sent with the definition and fetches nothing', () => {
  const [inline, remote] = icons(
    { src: 'data:image/png;base64,AAAA', mimeType: 'image/png', sizes: ['32x32'], theme: 'dark' },
    { src: 'https://tracker.example/icon.png' },
  );
  expect(inline).toMatchObject({ isInline: true, facts: 'image/png · 32x32 · dark' });
  expect(remote).toMatchObject({ isInline: false, facts: '' });
});

it('draws nothing but images of a bounded length, however they are named', () => {
  for (const src of [
    'data:text/html;base64,AAAA',
    'data:,x',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'blob:x',
    ` data:image/png;base64,AAAA`,
    `data:image/png;base64,${'A'.repeat(600_000)}`,
  ]) {
    expect(icons({ src })[0]?.isInline, src.slice(0, 40)).toBe(false);
  }
});

it('takes what is no list of icons for none', () => {
  expect(icons(null, 7, {}, { src: 7 })).toEqual([]);
  expect(iconsOf('{"icons":{}}')).toEqual([]);
  expect(iconsOf('[')).toEqual([]);
  expect(icons(...Array.from({ length: 99 }, () => ({ src: 'https://a' })))).toHaveLength(16);
});
