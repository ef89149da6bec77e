import { describe, expect, it } from 'vitest';
import { columnsInView } from './columns-in-view';

const TWENTY = Array.from({ length: 20 }, () => 130);

describe('columnsInView', () => {
  it('takes those that are seen and one on either side', () => {
    expect(columnsInView(TWENTY, { pinned: 144, width: 664, scrolled: 0 })).toEqual({
      first: 0,
      end: 5,
    });
    expect(columnsInView(TWENTY, { pinned: 144, width: 664, scrolled: 1300 })).toEqual({
      first: 9,
      end: 15,
    });
    expect(columnsInView(TWENTY, { pinned: 144, width: 664, scrolled: 2080 })).toEqual({
      first: 15,
      end: 20,
    });
  });

  it('takes all of them where there is room', () => {
    expect(columnsInView([130, 84], { pinned: 144, width: 900, scrolled: 0 })).toEqual({
      first: 0,
      end: 2,
    });
  });

  it('counts with columns that are wider than they need to be', () => {
    expect(columnsInView([100, 300], { pinned: 100, width: 900, scrolled: 0 })).toEqual({
      first: 0,
      end: 2,
    });
  });

  it('has none of none', () => {
    expect(columnsInView([], { pinned: 144, width: 900, scrolled: 0 })).toEqual({
      first: 0,
      end: 0,
    });
  });
});
