import { randomBytes } from 'node:crypto';
import { describeOnEvm, type Evm, GAS_BURNER, startEvm } from '@florin/evm/local-chain';
import { signableOf } from '@florin/evm/testing';
import { ChallengeStatus, Decision } from '@florin/proto/threeds/v1/challenge';
import { type Address, concat, encodeAbiParameters, getAddress, type Hex, numberToHex, parseAbiParameters } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signAsSafe } from '../testing/safe-signatures.ts';
import { CHAIN_ID, createWorld, type Instance, type World } from '../testing/world.ts';

const { APPROVE } = Decision;

/** A signature that none of the contracts reads. */
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

const expectRejected = async ({ id, user }: Awaited<ReturnType<typeof raiseFor>>, signature: string) => {
  await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  expect(await world.stored(id)).toMatchObject({ status: 'pending', badSignatures: 1 });
};

const hostile: [string, Hex][] = [
  ['reverts', '0x60006000fd'],
  ['reverts with the magic value', concat(['0x7f', YES, '0x600052', '0x60206000fd'])],
  ['executes an invalid opcode', '0xfe'],
  ['stops without returning data', '0x00'],
  ['burns all gas in a loop', GAS_BURNER],
  ['burns all gas by expanding memory', '0x63ffffffff51'],
  ['calls itself to the maximum depth in a loop', concat(['0x5b', CALL_ITSELF, '0x600056'])],
  ['writes storage before it accepts', concat(['0x6001600055', answering(YES)])],
  ['emits a log before it accepts', concat(['0x60006000a0', answering(YES)])],
  ['destroys itself', '0x33ff'],
  ['returns half a megabyte', '0x620800006000f3'],
  ['returns half a megabyte that begins with the magic value', concat(['0x7f', YES, '0x600052', '0x620800006000f3'])],
  ['returns a megabyte', '0x621000006000f3'],
  ['returns the magic value with its last bit dirty', answering(wordOf(`1626ba7e${'00'.repeat(27)}01`))],
  ['returns the magic value with all padding dirty', answering(wordOf(`1626ba7e${'ff'.repeat(28)}`))],
  ['returns the magic value right-aligned', answering(wordOf(`${'00'.repeat(28)}1626ba7e`))],
  ['returns the magic value in 4 bytes', answering(YES, 4)],
  ['returns the magic value in 31 bytes', answering(YES, 31)],
  ['returns the magic value in 33 bytes', answering(YES, 33)],
  ['returns the magic value in 64 bytes', answering(YES, 64)],
  ['returns the magic value of the EIP-1271 draft (bytes, bytes)', answering(wordOf(`20c13b0b${'00'.repeat(28)}`))],
  ['returns true', answering(wordOf(`${'00'.repeat(31)}01`))],
  ['returns all ones', answering(wordOf('ff'.repeat(32)))],
  // OffchainLookup (EIP-3668): asks the caller to fetch data elsewhere.
  ['reverts with OffchainLookup', concat(['0x63556f1830', '0x600052', '0x6004601cfd'])],
];

describeOnEvm('an account’s contract that', () => {
  it.each(hostile)('%s approves nothing', async (_name, code) => {
    await expectRejected(await raiseFor(await deploy(code)), ANY);
  });

  it('accepts every signature decides for its own account only', async () => {
    const own = await raiseFor(await deploy(answering(YES)));
    expect((await own.user.submit(own.id, APPROVE, ANY)).status).toBe(ChallengeStatus.APPROVED);
    const owner = privateKeyToAccount(generatePrivateKey());
    await expectRejected(await raiseFor(await evm.deploySafe([owner.address])), ANY);
  });

  it('accepts after calling itself is accepted, and changes no state', async () => {
    // if (calldatasize == 0) stop; call itself; accept
    const own = await raiseFor(await deploy(concat(['0x36', '0x600557', '0x00', '0x5b', CALL_ITSELF, answering(YES)])));
    expect((await own.user.submit(own.id, APPROVE, ANY)).status).toBe(ChallengeStatus.APPROVED);
  });

  it('is named as an owner inside a signature approves nothing', async () => {
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
    await expectRejected(given, signature);
  });

  it('is not deployed yet is not deployed by a signature (EIP-6492)', async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const safe = await evm.predictSafe([owner.address]);
    const given = await raiseFor(safe);
    const inner = await signAsSafe(safe, [owner], given.data);
    const { to, data } = evm.creationOf([owner.address]);
    const wrapped = encodeAbiParameters(parseAbiParameters('address, bytes, bytes'), [to, data, inner]);
    await expectRejected(given, concat([wrapped, `0x${'6492'.repeat(16)}`]));
    expect(await evm.rpc('eth_getCode', [safe, 'latest'])).toBe('0x');
  });

  it('is a precompile or an address without code approves nothing', async () => {
    for (const address of ['0x0000000000000000000000000000000000000004', '0x000000000000000000000000000000000000dEaD'] as const) {
      await expectRejected(await raiseFor(address), ANY);
    }
  });
});
