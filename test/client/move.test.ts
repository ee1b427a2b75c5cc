import { createClient } from '@florin/client';
import { prepareMove, UnexpectedTextError } from '@florin/client/viem';
import { DELAY_1_0_1, predictSafeAddress, safeTypedData, setUpTransaction } from '@florin/evm/safe';
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';

const FORMER_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const ID = '01890a5d-ac96-774b-bcce-b302099a8058';
const THIEF: Address = '0xDf6e26C4D2e777250Fc7ff9FbFDD73C6E921eb12';
const TOKEN: Address = '0x420CA0f9B9b604cE0fd9C18EF134C705e5Fa3430';
const OWNER = privateKeyToAccount(`0x${'1'.repeat(64)}`);
const PLATFORM = privateKeyToAccount(`0x${'2'.repeat(64)}`);

const safeOf = (id: string) => predictSafeAddress(id, [OWNER.address, PLATFORM.address]);
const MOVE = { accountId: FORMER_ID, safeAddress: safeOf(FORMER_ID), token: 'EURe', amount: '1000' };

const delay = { cooldownSeconds: 90_000, expirationSeconds: 111_600 };
const parties = { chainId: 100, accountId: ID, safe: safeOf(ID), owner: OWNER.address, platform: PLATFORM.address };
const setUpSignature = await PLATFORM.signTypedData(safeTypedData(setUpTransaction(parties, { mastercopy: DELAY_1_0_1, ...delay }, 0n)));

type Named = { id?: string; safeAddress?: Address; recipient?: Address; from?: Address };

/** Prepares the move with a server that names a current account and offers a transfer of the former one, and has it signed. */
const moveBy = async ({ id = ID, safeAddress = safeOf(ID), recipient = safeAddress, from = MOVE.safeAddress }: Named) => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, 1000n] });
  const transaction = { chainId: 100, safe: from, to: TOKEN, data, operation: 0 as const, safeTxGas: 200_000n, nonce: 3n };
  const offer = { withdrawalId: 'w', expiresAt: '', typedData: safeTypedData(transaction) };
  const deployment = { status: 'verified', platformOwner: PLATFORM.address, ...delay, setUpSignature };
  const submitted: Hex[] = [];
  const client = createClient({
    url: 'http://gateway',
    token: 'token',
    retries: 0,
    fetch: async (url, init) => {
      if (url.endsWith('/user/account')) return Response.json({ id, safeAddress, chain: { name: 'Gnosis', id: '100' }, deployment });
      if (url.endsWith('/user/balances/v2')) return Response.json({ data: [{ tokens: [{ token: 'EURe', contract: TOKEN }] }] });
      if (url.endsWith('/user/moves/challenge'))
        return new Response(JSON.stringify(offer, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)));
      submitted.push((JSON.parse(String(init.body)) as { signature: Hex }).signature);
      return Response.json({ id: 'w', status: 'processing' });
    },
  });
  const outcome = await prepareMove(client, MOVE, OWNER).then(
    async (move) => (await move.submit(OWNER)).status,
    (error: unknown) => error,
  );
  return { outcome, submitted, transaction };
};

it('signs the move to the Safe that follows from the id and the owners of the current account', async () => {
  const { outcome, submitted, transaction } = await moveBy({});
  expect(outcome).toBe('processing');
  expect(submitted).toEqual([await OWNER.signTypedData(safeTypedData(transaction))]);
});

it.each<[string, Named]>([
  ['to an address that the server names as the Safe of today', { safeAddress: THIEF }],
  ['to another address than the Safe of today', { recipient: THIEF }],
  ['to the Safe of another account', { recipient: safeOf(FORMER_ID) }],
  ['to a Safe that is not of the named account', { id: '01890a5d-ac96-774b-bcce-b302099a8059' }],
  ['out of another Safe', { from: safeOf(ID) }],
])('signs no move %s', async (_name, named) => {
  const { outcome, submitted } = await moveBy(named);
  expect(outcome).toBeInstanceOf(UnexpectedTextError);
  expect(submitted).toEqual([]);
});
