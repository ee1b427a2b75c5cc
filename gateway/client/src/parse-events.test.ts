import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEventParser } from './parse-events.ts';

const TEXT = ': hello\n\nid: 1\nevent: challenge\ndata: {"a":\r\ndata:1}\r\n\r\ndata: x\r\rid: 2\nretry: 5\n\nevent: lost\ndata: y\n';
const EVENTS = [
  { id: '1', event: 'challenge', data: '{"a":\n1}' },
  { id: '1', event: 'message', data: 'x' },
];

it('reads events however the text is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(TEXT.length)), (cuts) => {
      const parse = createEventParser();
      const places = [0, ...cuts.toSorted((a, b) => a - b), TEXT.length];
      const parts = places.slice(1).map((end, index) => TEXT.slice(places[index], end));
      expect(parts.flatMap((part) => parse(part))).toEqual(EVENTS);
    }),
  );
});
