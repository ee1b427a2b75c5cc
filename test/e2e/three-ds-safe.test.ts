import { describeOnEvm, type Evm, startEvm } from '@florin/evm/local-chain';
import { signAsSafe } from '@florin/threeds/testing/safe-signatures';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import {
  accountOf,
  createCard,
  issueTypedData,
  newWallet,
  type Person,
  raiseChallenge,
  registerPerson,
  submitDecision,
  type TypedData,
} from '../support/story.ts';

/** Gnosis Chain, where the ledger opens accounts by default. */
const CHAIN_ID = 100;

let evm: Evm;
let platform: PlatformInProcess;
let person: Person;
let cardId: string;
let account: { id: string; safeAddress: Address };
beforeAll(async () => {
  evm = await startEvm(CHAIN_ID);
  platform = await startPlatformInProcess({ CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: evm.url }) });
  person = await registerPerson(platform.api);
  cardId = await createCard(platform.api, person.token);
  account = await accountOf(platform.api, person.token);
});
afterAll(async () => {
  await platform?.close();
  await evm?.close();
});

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

describeOnEvm('a decision signed as the account’s Safe, over REST', () => {
  it('is rejected until the Safe is deployed at the predicted address, and accepted from then on', async () => {
    const id = await raiseChallenge(platform.api, person.token, cardId);
    const data = signable(await issueTypedData(platform.api, person.token, id, 'approve'));
    const signature = await signAsSafe(account.safeAddress, [person.wallet], data);
    await evm.mine();
    const early = await platform.api.request('POST', `/3ds/challenges/${id}/decision`, {
      token: person.token,
      body: { decision: 'approve', signature },
    });
    expectCode(early, 400, 'INVALID_SIGNATURE');

    const saltNonce = BigInt(`0x${account.id.replaceAll('-', '')}`);
    expect(await evm.deploySafe([person.wallet.address], 1, saltNonce)).toBe(account.safeAddress);
    const { challenge } = await submitDecision(platform.api, person.token, id, 'approve', signature);
    expect(challenge).toMatchObject({ status: 'approved', decision: 'approve' });
  });

  it('returns 503 for a Safe, but not for a wallet, while the chain is unavailable', async () => {
    const other = await registerPerson(platform.api);
    const card = await createCard(platform.api, other.token);
    const id = await raiseChallenge(platform.api, other.token, card);
    const data = signable(await issueTypedData(platform.api, other.token, id, 'decline'));
    const wallet = await other.wallet.signTypedData(data);
    const asSafe = await signAsSafe(account.safeAddress, [newWallet()], data);
    await evm.close();
    const answer = await platform.api.request('POST', `/3ds/challenges/${id}/decision`, {
      token: other.token,
      body: { decision: 'decline', signature: asSafe },
    });
    expectCode(answer, 503, 'SERVICE_UNAVAILABLE');
    const { challenge } = await submitDecision(platform.api, other.token, id, 'decline', wallet);
    expect(challenge).toMatchObject({ status: 'declined' });
  });
});
