import { create } from '@bufbuild/protobuf';
import { PageRequestSchema } from '@florin/proto/common/v1/page';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutFound, cutPage, decodeIdCursor, decodeTimeCursor, encodeIdCursor, encodeTimeCursor, findLimitOf, pageOf } from './paging.ts';

describe('pageOf', () => {
  it.each([
    [undefined, { limit: 50, cursor: '' }],
    [
      { limit: 0, cursor: '' },
      { limit: 50, cursor: '' },
    ],
    [
      { limit: 100, cursor: 'abc' },
      { limit: 100, cursor: 'abc' },
    ],
  ])('of %j is %j', (page, expected) => {
    expect(pageOf({ page: page && create(PageRequestSchema, page) })).toEqual(expected);
  });
});

describe('cutPage', () => {
  it('visits each row of a list once', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), fc.integer({ min: 1, max: 10 }), (list, limit) => {
        const seen: number[] = [];
        for (let cursor = '0'; cursor !== ''; ) {
          const start = Number(cursor);
          const found = list.slice(start, start + limit + 1).map((value, index) => ({ value, at: start + index }));
          const { rows, nextCursor } = cutPage(found, limit, ({ at }) => String(at + 1));
          expect(rows.length).toBeLessThanOrEqual(limit);
          seen.push(...rows.map(({ value }) => value));
          cursor = nextCursor;
        }
        expect(seen).toEqual(list);
      }),
    );
  });
});

describe('what is found', () => {
  it('has a limit of 20 by default', () => {
    expect([0, 1, 100].map((limit) => findLimitOf({ limit }))).toEqual([20, 1, 100]);
  });

  it('is cut to its limit, and says whether there is more', () => {
    expect(cutFound([1, 2, 3], 2)).toEqual({ rows: [1, 2], hasMore: true });
    expect(cutFound([1, 2], 2)).toEqual({ rows: [1, 2], hasMore: false });
    expect(cutFound([], 2)).toEqual({ rows: [], hasMore: false });
  });
});

describe('id cursors', () => {
  it('round-trip', () => {
    fc.assert(fc.property(fc.uuid(), (id) => decodeIdCursor(encodeIdCursor(id)) === id));
    expect(decodeIdCursor('')).toBeUndefined();
  });

  it.each(['x', 'bogus', `${encodeIdCursor('01890a5d-ac96-774b-bcce-b302099a8057')}=`, encodeIdCursor('not a uuid')])(
    'reject %j',
    (cursor) => {
      expect(() => decodeIdCursor(cursor)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
    },
  );
});

describe('time cursors', () => {
  const MAX_TIME = 8.64e15;

  it('round-trip', () => {
    const places = fc.record({ createdAt: fc.nat(MAX_TIME).map((time) => new Date(time)), id: fc.uuid() });
    fc.assert(
      fc.property(places, (place) => {
        const cursor = encodeTimeCursor(place);
        expect(decodeTimeCursor(cursor)).toEqual(place);
        expect(cursor.length).toBeLessThanOrEqual(64);
      }),
    );
    expect(decodeTimeCursor('')).toBeUndefined();
  });

  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  it.each(['x', '.', `abc.${id}x`, `ABC.${id}`, `-1.${id}`, `.${id}`, `NaN.${id}`, `zzzzzzzzzzz.${id}`, 'abc.not a uuid', `abc.${id}.1`])(
    'reject %j',
    (cursor) => {
      expect(() => decodeTimeCursor(cursor)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
    },
  );
});
