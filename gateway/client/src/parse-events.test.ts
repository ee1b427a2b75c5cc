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

it.each<[string, string]>([
  ['a line that does not end', 'data: x'],
  ['lines without an end of the event', 'data: x\n'],
])('gives up on %s', (_name, part) => {
  const parse = createEventParser();
  const send = (): void => {
    for (let sent = 0; sent < 2_000_000; sent += part.length * 1000) parse(part.repeat(1000));
  };
  expect(send).toThrow(RangeError);
});

it('reads as many events as come', () => {
  const parse = createEventParser();
  const block = `data: ${'x'.repeat(9_990)}\n\n`;
  for (let count = 0; count < 300; count += 1) expect(parse(block)).toHaveLength(1);
});
