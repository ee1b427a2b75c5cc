import { planOf, UnexpectedTextError } from '@florin/client/viem';
import { describeOnEvm, type Evm, startEvm } from '@florin/evm/local-chain';
import {
  DELAY_1_0_1,
  joinOwnerSignatures,
  predictDelayModule,
  predictSafeAddress,
  safeMessageTypedData,
  safeTransactionData,
  setUpTransaction,
} from '@florin/evm/safe';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';

const CHAIN_ID = 100;
const ACCOUNT_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const DELAY = { mastercopy: DELAY_1_0_1, cooldownSeconds: 90_000, expirationSeconds: 111_600 };
const newKey = () => privateKeyToAccount(generatePrivateKey());

describeOnEvm('the plan of an account whose second owner is a Safe of the platform', { timeout: 60_000 }, () => {
  let evm: Evm;
  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
  }, 60_000);
  afterAll(() => evm?.close());

  it('is believed when that Safe takes the signature over the set-up, which a node is asked', async () => {
    const [owner, signer, stranger] = [newKey(), newKey(), newKey()];
    const platform = await evm.deploySafe([signer.address]);
    const safe = predictSafeAddress(ACCOUNT_ID, [owner.address, platform]);
    const parties = { chainId: CHAIN_ID, accountId: ACCOUNT_ID, safe, owner: owner.address, platform };
    const message = { chainId: CHAIN_ID, safe: platform, message: safeTransactionData(setUpTransaction(parties, DELAY, 0n)) };
    const accountSignedBy = async (key: typeof signer) => {
      const signature = await key.signTypedData(safeMessageTypedData(message));
      const deployment = {
        status: 'predicted' as const,
        findings: [],
        platformOwner: platform,
        delayModule: predictDelayModule(safe, DELAY),
        cooldownSeconds: DELAY.cooldownSeconds,
        expirationSeconds: DELAY.expirationSeconds,
        setUpSignature: joinOwnerSignatures([{ owner: platform, signature, isContract: true }]).toLowerCase(),
      };
      return { id: ACCOUNT_ID, safeAddress: safe, chain: { id: String(CHAIN_ID), name: 'Gnosis' }, deployment };
    };
    const node = { request: ({ method, params }: { method: string; params: Hex[] }) => evm.rpc(method, params) };
    const signed = await accountSignedBy(signer);
    expect(await planOf(signed as never, owner.address, { node })).toMatchObject({
      safe: safe.toLowerCase(),
      platform: platform.toLowerCase(),
    });
    await expect(planOf(signed as never, owner.address)).rejects.toBeInstanceOf(UnexpectedTextError);
    await expect(planOf((await accountSignedBy(stranger)) as never, owner.address, { node })).rejects.toBeInstanceOf(UnexpectedTextError);
  });
});
