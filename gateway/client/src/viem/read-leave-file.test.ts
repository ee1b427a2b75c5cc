import { expect, it } from 'vitest';
import { enteredMove, readLeaveFile } from './read-leave-file.ts';
import { delayModuleOf, safeOf } from './safe-addresses.ts';
import { type SafePlan, setUpCall } from './safe-calls.ts';

const address = (digit: string): string => `0x${digit.repeat(40)}`;
const ACCOUNT = '3f0c5b3e-6f0e-4a55-9d3c-5f3a6b8a1c2d';
const [OWNER, PLATFORM, TOKEN] = [address('a'), address('b'), address('c')];
const DELAY = { cooldownSeconds: 90_000, expirationSeconds: 111_600, mastercopy: '0xd54895B1121A2eE3f37b502F507631FA1331BED6' };
const SAFE: string = safeOf(ACCOUNT, [OWNER, PLATFORM]);
const PLAN: SafePlan = {
  chainId: 100,
  accountId: ACCOUNT,
  owner: OWNER,
  platform: PLATFORM,
  safe: SAFE,
  module: delayModuleOf(SAFE, DELAY),
  delay: DELAY,
  collection: { treasury: address('d'), limits: [{ token: TOKEN, perDay: '10000' }] },
  setUpSignature: `0x${'1b'.repeat(65)}`,
};
const textOf = (plan: object, tokens: unknown = [{ token: 'EURe', contract: TOKEN }]): string =>
  JSON.stringify({ plan: { ...PLAN, ...plan }, tokens });
const FILE = readLeaveFile(textOf({}));

// Beside a token it holds an approval of everything for somebody, as a batch writes it.
const APPROVAL = `${TOKEN}${'0'.repeat(64)}${'44'.padStart(64, '0')}095ea7b3${address('e').slice(2).padStart(64, '0')}${'f'.repeat(64)}00${TOKEN.slice(2)}`;

it('reads what leaveFileOf has made, in lower case, and nothing else', () => {
  const { plan } = readLeaveFile(textOf({ owner: `0x${'A'.repeat(40)}`, more: 1 }));
  expect(plan).toEqual({ ...PLAN, delay: { ...DELAY, mastercopy: DELAY.mastercopy.toLowerCase() } });
  const alone = safeOf(ACCOUNT, [OWNER]);
  const { setUpSignature: _none, ...rest } = { ...PLAN, safe: alone, module: delayModuleOf(alone, DELAY) };
  expect(readLeaveFile(JSON.stringify({ plan: rest, tokens: [] })).plan.safe).toBe(alone);
  const first = safeOf(ACCOUNT, [address('9'), PLATFORM]);
  const recovered = { firstOwner: address('9'), safe: first, module: delayModuleOf(first, DELAY) };
  expect(readLeaveFile(textOf(recovered)).plan.firstOwner).toBe(address('9'));
});

it.each([
  ['plan.collection.limits[0].token', textOf({ collection: { treasury: TOKEN, limits: [{ token: APPROVAL, perDay: '1' }] } })],
  ['plan.collection.limits[0].perDay', textOf({ collection: { treasury: TOKEN, limits: [{ token: TOKEN, perDay: '0x1' }] } })],
  ['plan.collection.limits', textOf({ collection: { treasury: TOKEN, limits: Array(101).fill({ token: TOKEN, perDay: '1' }) } })],
  ['plan.collection.treasury', textOf({ collection: { treasury: APPROVAL, limits: [] } })],
  ['plan.owner', textOf({ owner: APPROVAL })],
  ['plan.platform', textOf({ platform: 7 })],
  ['plan.safe', textOf({ safe: address('e') })],
  ['plan.safe', textOf({ platform: address('e') })],
  ['plan.module', textOf({ module: address('e') })],
  ['plan.module', textOf({ delay: { ...DELAY, cooldownSeconds: 1 } })],
  ['plan.delay.mastercopy', textOf({ delay: { ...DELAY, mastercopy: APPROVAL } })],
  ['plan.delay.expirationSeconds', textOf({ delay: { ...DELAY, expirationSeconds: 1.5 } })],
  ['plan.chainId', textOf({ chainId: '100' })],
  ['plan.accountId', textOf({ accountId: 'ff' })],
  ['plan.setUpSignature', textOf({ setUpSignature: '0x12' })],
  ['tokens[0].contract', textOf({}, [{ token: 'EURe', contract: APPROVAL }])],
  ['tokens[0].token', textOf({}, [{ token: '\u001b[2J', contract: TOKEN }])],
  ['tokens', textOf({}, {})],
])('rejects a changed %s, and says where', (member, text) => {
  expect(() => readLeaveFile(text)).toThrow(`${member} must be`);
});

it('shows nothing of what is no file: it may be a key', () => {
  expect(() => readLeaveFile(`0x${'5'.repeat(64)}`)).toThrow("This is not an account's file.");
});

it('makes no batch of what is not an address', () => {
  const limits = [{ token: APPROVAL, perDay: '1' }];
  expect(() => setUpCall({ ...PLAN, collection: { treasury: TOKEN, limits } })).toThrow('hex digits');
  expect(() => setUpCall({ ...PLAN, safe: `${SAFE}00` })).toThrow('needs an address');
});

it('moves to an address with the right checksum, which is neither the Safe nor a token', () => {
  const to = '0xd54895B1121A2eE3f37b502F507631FA1331BED6';
  expect(enteredMove(FILE, to, [address('7')])).toEqual({ tokens: [TOKEN, address('7')], to: to.toLowerCase() });
  const mistyped = to.replace('B1121A', 'b1121A');
  for (const wrong of ['', '0x1', mistyped]) expect(() => enteredMove(FILE, wrong, [])).toThrow('The receiver must be an address: 0x');
  expect(() => enteredMove(FILE, to, [mistyped])).toThrow('A token must be an address');
  for (const wrong of [SAFE, PLAN.module, TOKEN, address('0')])
    expect(() => enteredMove(FILE, wrong, [])).toThrow('must be an address of yours');
});
