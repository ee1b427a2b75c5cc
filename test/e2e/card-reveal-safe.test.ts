import { describeOnEvm, type Evm, startEvm } from '@florin/evm/local-chain';
import { signAsSafe } from '@florin/threeds/testing/safe-signatures';
import type { Address } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CardDetails, createCardDataApp } from '../support/card-data.ts';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { accountOf, createCard, newWallet, type Person, registerPerson, type TypedData, type Wallet } from '../support/story.ts';

/** Gnosis Chain, where the ledger opens accounts by default. */
const CHAIN_ID = 100;

let evm: Evm;
let platform: PlatformInProcess;
let person: Person;
let cardId: string;
let safe: Address;
let app: Awaited<ReturnType<typeof createCardDataApp>>;
beforeAll(async () => {
  evm = await startEvm(CHAIN_ID);
  platform = await startPlatformInProcess({ CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: evm.url }) });
  person = await registerPerson(platform.api);
  cardId = await createCard(platform.api, person.token);
  app = await createCardDataApp(platform.api, person);
  const account = await accountOf(platform.api, person.token);
  safe = account.safeAddress;
  await evm.deploySafe([person.wallet.address], 1, BigInt(`0x${account.id.replaceAll('-', '')}`));
});
afterAll(async () => {
  await platform?.close();
  await evm?.close();
});
beforeEach(() => evm.mine());

const signable = ({ domain, message }: TypedData) => ({
  domain,
  primaryType: 'Message' as const,
  types: {
    Message: [
      { name: 'authorization', type: 'string' },
      { name: 'nonce', type: 'uint256' },
    ],
  },
  message: { ...message, nonce: BigInt(message.nonce) },
});

const revealAsSafe = async (owner: Wallet, address: Address = safe) => {
  const query = new URLSearchParams({ action: 'view-details', thumbprint: app.thumbprint });
  const typedData = await platform.api.call<TypedData>('GET', `/pci/cards/${cardId}/challenge?${query}`, { token: person.token });
  const signature = await signAsSafe(address, [owner], signable(typedData));
  const reveal = () =>
    platform.api.request('POST', `/pci/cards/${cardId}/reveal`, {
      token: person.token,
      body: { action: 'view-details', signature, key: app.key },
    });
  return { reveal, signature };
};

describeOnEvm('card data', () => {
  it('is shown to the account’s Safe, once for each signature, and the access log names the Safe', async () => {
    const { reveal } = await revealAsSafe(person.wallet);
    const answer = await reveal();
    expect(answer.status).toBe(200);
    const details = await app.open<CardDetails>((answer.body as { jwe: string }).jwe);
    expect(details).toEqual(await app.viewDetails(cardId));
    expectCode(await reveal(), 400, 'INVALID_SIGNATURE');
    const { data } = await platform.api.as(person.token).pci.listCardDataAccess();
    expect(data.map(({ wallet }) => wallet)).toContain(safe);
  });

  it('is not shown for the signature of someone who does not own the Safe', async () => {
    expectCode(await (await revealAsSafe(newWallet())).reveal(), 400, 'INVALID_SIGNATURE');
    expectCode(await (await revealAsSafe(person.wallet, newWallet().address)).reveal(), 400, 'INVALID_SIGNATURE');
  });

  it('is not shown to a Safe while the chain is unavailable; the signature stays good, and wallets still sign', async () => {
    const { reveal } = await revealAsSafe(person.wallet);
    await evm.close();
    expectCode(await reveal(), 503, 'SERVICE_UNAVAILABLE');
    expect((await app.viewDetails(cardId)).pan).toMatch(/^\d{16}$/);
  });
});
