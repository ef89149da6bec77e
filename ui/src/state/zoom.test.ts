import { expect, test } from 'vitest';
import { nextZoom, previousZoom, zoomsWith } from './zoom';

test('walks the sizes in both directions and stops at the ends', () => {
  expect(nextZoom(100)).toBe(110);
  expect(previousZoom(100)).toBe(90);
  expect(nextZoom(200)).toBeUndefined();
  expect(previousZoom(50)).toBeUndefined();
});

test('takes a size that a file holds in between', () => {
  expect(nextZoom(105)).toBe(110);
  expect(previousZoom(105)).toBe(100);
  expect(zoomsWith(105)).toContain(105);
  expect(zoomsWith(100)).not.toContain(105);
});
