import { randomBytes } from 'node:crypto';
import { ChallengeStatus, Decision } from '@florin/proto/threeds/v1/challenge';
import { type Address, concat, encodeAbiParameters, getAddress, type Hex, numberToHex, parseAbiParameters } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signableOf } from '../testing/calls.ts';
import { describeOnEvm, type Evm, startEvm } from '../testing/evm.ts';
import { signAsSafe } from '../testing/safe-signatures.ts';
import { CHAIN_ID, createWorld, type Instance, type World } from '../testing/world.ts';

const { APPROVE } = Decision;

/** A signature that no contract here looks at. */
const ANY = `0x${'ab'.repeat(130)}`;

const YES = `0x1626ba7e${'00'.repeat(28)}` as const;

/** PUSH32 word, MSTORE at 0, RETURN(offset, length). */
const answering = (word: Hex, length = 32, offset = 0): Hex =>
  concat(['0x7f', word, '0x600052', '0x61', numberToHex(length, { size: 2 }), '0x60', numberToHex(offset, { size: 1 }), '0xf3']);

const wordOf = (text: string): Hex => `0x${text}`;

/** CALL(gas, this, 0, 0, 0, 0, 0), POP. */
const CALL_ITSELF: Hex = '0x60006000600060006000305af150';

let evm: Evm;
let world: World;
let app: Instance;
beforeAll(async () => {
  evm = await startEvm(CHAIN_ID);
  world = await createWorld({ CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: evm.url }) });
  app = await world.start();
});
afterAll(async () => {
  await world?.close();
  await evm?.close();
});

const deploy = async (code: Hex): Promise<Address> => {
  const address = getAddress(`0x${randomBytes(20).toString('hex')}`);
  await evm.setCode(address, code);
  return address;
};

const raiseFor = async (account: Address) => {
  const person = world.newPerson(account);
  const { id } = await app.acs.create(world.payment(person));
  const user = app.user(person);
  const data = signableOf(await user.issue(id, APPROVE));
  return { id, user, data };
};

const expectRefused = async ({ id, user }: Awaited<ReturnType<typeof raiseFor>>, signature: string) => {
  await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  expect(await world.stored(id)).toMatchObject({ status: 'pending', badSignatures: 1 });
};

const hostile: [string, Hex][] = [
  ['reverts', '0x60006000fd'],
  ['reverts with a yes', concat(['0x7f', YES, '0x600052', '0x60206000fd'])],
  ['is invalid', '0xfe'],
  ['stops without a word', '0x00'],
  ['burns all gas in a loop', '0x5b600056'],
  ['burns all gas on memory', '0x63ffffffff51'],
  ['calls itself as deep as it goes, over and over', concat(['0x5b', CALL_ITSELF, '0x600056'])],
  ['writes before it says yes', concat(['0x6001600055', answering(YES)])],
  ['logs before it says yes', concat(['0x60006000a0', answering(YES)])],
  ['destroys itself', '0x33ff'],
  ['returns half a megabyte', '0x620800006000f3'],
  ['returns half a megabyte that begins with a yes', concat(['0x7f', YES, '0x600052', '0x620800006000f3'])],
  ['returns a megabyte', '0x621000006000f3'],
  ['says yes with one bit of dirt at the end', answering(wordOf(`1626ba7e${'00'.repeat(27)}01`))],
  ['says yes with dirt all over', answering(wordOf(`1626ba7e${'ff'.repeat(28)}`))],
  ['says yes right-aligned', answering(wordOf(`${'00'.repeat(28)}1626ba7e`))],
  ['says yes in 4 bytes', answering(YES, 4)],
  ['says yes in 31 bytes', answering(YES, 31)],
  ['says yes in 33 bytes', answering(YES, 33)],
  ['says yes in 64 bytes', answering(YES, 64)],
  ['says yes to the question of the draft (bytes, bytes)', answering(wordOf(`20c13b0b${'00'.repeat(28)}`))],
  ['says true', answering(wordOf(`${'00'.repeat(31)}01`))],
  ['says all ones', answering(wordOf('ff'.repeat(32)))],
  // OffchainLookup of EIP-3668: the caller is to look elsewhere.
  ['sends elsewhere', concat(['0x63556f1830', '0x600052', '0x6004601cfd'])],
];

describeOnEvm('an account’s contract that', () => {
  it.each(hostile)('%s approves nothing', async (_name, code) => {
    await expectRefused(await raiseFor(await deploy(code)), ANY);
  });

  it('says yes to everything decides for its own account, and for no other', async () => {
    const own = await raiseFor(await deploy(answering(YES)));
    expect((await own.user.submit(own.id, APPROVE, ANY)).status).toBe(ChallengeStatus.APPROVED);
    const owner = privateKeyToAccount(generatePrivateKey());
    await expectRefused(await raiseFor(await evm.deploySafe([owner.address])), ANY);
  });

  it('says yes after calling itself is still one that says yes, without having changed anything', async () => {
    // if (calldatasize == 0) stop; call itself; say yes
    const own = await raiseFor(await deploy(concat(['0x36', '0x600557', '0x00', '0x5b', CALL_ITSELF, answering(YES)])));
    expect((await own.user.submit(own.id, APPROVE, ANY)).status).toBe(ChallengeStatus.APPROVED);
  });

  it('is named as an owner inside a signature is not one', async () => {
    const liar = await deploy(answering(YES));
    const owner = privateKeyToAccount(generatePrivateKey());
    const given = await raiseFor(await evm.deploySafe([owner.address]));
    const signature = concat([
      `0x${'00'.repeat(12)}`,
      liar,
      numberToHex(65, { size: 32 }),
      '0x00',
      numberToHex(65, { size: 32 }),
      `0x${'00'.repeat(65)}`,
    ]);
    await expectRefused(given, signature);
  });

  it('stands nowhere yet is not deployed on the way (EIP-6492)', async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const safe = await evm.predictSafe([owner.address]);
    const given = await raiseFor(safe);
    const inner = await signAsSafe(safe, [owner], given.data);
    const { to, data } = evm.creationOf([owner.address]);
    const wrapped = encodeAbiParameters(parseAbiParameters('address, bytes, bytes'), [to, data, inner]);
    await expectRefused(given, concat([wrapped, `0x${'6492'.repeat(16)}`]));
    expect(await evm.rpc('eth_getCode', [safe, 'latest'])).toBe('0x');
  });

  it('is no contract but a precompile or nothing at all approves nothing', async () => {
    for (const address of ['0x0000000000000000000000000000000000000004', '0x000000000000000000000000000000000000dEaD'] as const) {
      await expectRefused(await raiseFor(address), ANY);
    }
  });
});
