import { expect, it } from 'vitest';
import { isNewDevice, QUIET_MS } from './new-device.ts';

const START = Date.UTC(2026, 10, 29);
const QUIET = QUIET_MS / 60_000;

const firefox = (version: string) => `Mozilla/5.0 (X11; Linux x86_64; rv:${version}) Gecko/20100101 Firefox/${version}`;
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)';
/** Longer than what is stored of it: a longer version leaves less of the rest. */
const long = (version: string) => `${firefox(version)} ${'Wallet '.repeat(40)}`.slice(0, 256);

type Row = [what: string, isNew: boolean, ...signIns: (readonly [minute: number, userAgent?: string])[]];

it.each<Row>([
  ['the only one that is stored', true, [0, PHONE]],
  ['one without a user agent after another', false, [0], [60]],
  ['one with a user agent after one without', true, [0], [60, PHONE]],
  ['an update', false, [0, firefox('131.0')], [60, firefox('132.0.1')]],
  ['an update of a user agent that was cut', false, [0, long('9.0')], [60, long('131.0.6778.205')]],
  ['another browser', true, [0, PHONE], [60, firefox('131.0')]],
  ['a device before the last one', false, [0, PHONE], [60, firefox('131.0')], [120, PHONE]],
  ['another browser just after the registration', true, [0, PHONE], [1, firefox('131.0')]],
  ['one just after one that was told', false, [0], [60, 'a'], [60 + QUIET - 1, 'b']],
  ['one a while after one that was told', true, [0], [60, 'a'], [60 + QUIET, 'b']],
  ['one just after one that was not told', true, [0], [60, 'a'], [60 + QUIET - 1, 'b'], [60 + QUIET, 'c']],
])('of sign-ins, tells of %s: %j', (_what, isNew, ...signIns) => {
  const all = signIns.map(([minute, userAgent]) => ({ createdAt: new Date(START + minute * 60_000), userAgent }));
  const last = all.pop() ?? expect.fail('there is no sign-in');
  expect(isNewDevice(last, all)).toBe(isNew);
});
