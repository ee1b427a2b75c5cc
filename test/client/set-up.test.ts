import { createClient } from '@florin/client';
import { type ExpectedSetUp, setUpAccount, UnexpectedTextError } from '@florin/client/viem';
import { type CollectionTerms, DELAY_1_0_1, encodeMultiSend, predictSafeAddress, safeTypedData, setUpTransaction } from '@florin/evm/safe';
import fc from 'fast-check';
import type { Address, Hex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';

const ACCOUNT_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const THIEF: Address = '0xDf6e26C4D2e777250Fc7ff9FbFDD73C6E921eb12';

const ownerWith = (digit: string): PrivateKeyAccount => privateKeyToAccount(`0x${digit.repeat(64)}`);
const OWNER = ownerWith('1');
const PLATFORM_KEY = ownerWith('2');
const PLATFORM = PLATFORM_KEY.address;

const FACTS = {
  id: ACCOUNT_ID,
  owner: OWNER.address,
  platform: PLATFORM,
  cooldownSeconds: 90_000,
  expirationSeconds: 111_600,
  /** False of an account that was opened before Safes were shared from birth. */
  isShared: true,
  signer: PLATFORM_KEY,
  terms: undefined as CollectionTerms | undefined,
};
type Facts = typeof FACTS;

const TREASURY: Address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const TERMS = { treasury: TREASURY, limits: [{ token: '0x420CA0f9B9b604cE0fd9C18EF134C705e5Fa3430', perDay: '5000' }] } as const;

/** The chain service's answer for an account, which the gateway passes on. */
const honest = async ({ id, owner, platform, cooldownSeconds, expirationSeconds, isShared, signer, terms }: Facts) => {
  const safe = predictSafeAddress(id, isShared ? [owner, platform] : [owner]);
  const settings = { mastercopy: DELAY_1_0_1, cooldownSeconds, expirationSeconds, ...(terms === undefined ? {} : { terms }) };
  const transaction = setUpTransaction({ chainId: 100, accountId: id, safe, owner, platform }, settings, 0n);
  const setUpSignature = isShared ? await signer.signTypedData(safeTypedData(transaction)) : undefined;
  return {
    account: {
      id,
      safeAddress: safe,
      chain: { name: 'Gnosis', id: '100' },
      deployment: { status: 'predicted', platformOwner: platform, cooldownSeconds, expirationSeconds, setUpSignature, collection: terms },
    },
    transaction,
  };
};

type Offer = Awaited<ReturnType<typeof honest>>;

/** A gateway that offers something, and whether the wallet was asked for it. */
const offerTo = async (wallet: PrivateKeyAccount, { account, transaction }: Offer, expected: ExpectedSetUp = {}) => {
  const typedData = JSON.stringify(safeTypedData(transaction), (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  const submitted: Hex[] = [];
  const client = createClient({
    url: 'http://gateway',
    token: 'token',
    retries: 0,
    fetch: async (url, init) => {
      if (url.endsWith('/user/account')) return Response.json(account);
      if (url.endsWith('/user/account/set-up/challenge')) return new Response(typedData);
      submitted.push((JSON.parse(String(init.body)) as { signature: Hex }).signature);
      return Response.json({ ...account.deployment, status: 'relaying' });
    },
  });
  const outcome = await setUpAccount(client, wallet, expected).then(
    ({ status }) => status,
    (error: unknown) => error,
  );
  return { outcome, submitted };
};

const expectRefusal = async (offer: Offer, expected?: ExpectedSetUp): Promise<void> => {
  const { outcome, submitted } = await offerTo(OWNER, offer, expected);
  expect(outcome).toBeInstanceOf(UnexpectedTextError);
  expect(submitted).toEqual([]);
};

const other = (changed: Partial<Facts>): Promise<Offer> => honest({ ...FACTS, ...changed });
const { account: ACCOUNT, transaction: TRANSACTION } = await honest(FACTS);
/** Another account of the same owner. */
const OTHER = await other({ id: '01890a5d-ac96-774b-bcce-b302099a8058' });

/** One from which the platform may collect. */
const COLLECTED = await other({ terms: TERMS });

/** One that was opened before Safes were shared from birth. */
const FORMER = await other({ isShared: false });

describe('setUpAccount', async () => {
  it('signs what the chain service makes of any account', async () => {
    const seconds = fc.integer({ min: 60, max: 30 * 24 * 3600 });
    const facts = fc.record({
      id: fc.uuid(),
      cooldownSeconds: seconds,
      expirationSeconds: seconds,
      isShared: fc.boolean(),
      terms: fc.option(fc.constantFrom(TERMS, { ...TERMS, limits: [...TERMS.limits, { token: THIEF, perDay: '0' }] }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(facts, async (given) => {
        const offer = await other(given);
        const { outcome, submitted } = await offerTo(OWNER, offer);
        expect(outcome).toBe('relaying');
        expect(submitted).toEqual([await OWNER.signTypedData(safeTypedData(offer.transaction))]);
      }),
      { numRuns: 30 },
    );
  });

  const withTransaction = (changed: Partial<typeof TRANSACTION>): Offer => ({
    account: ACCOUNT,
    transaction: { ...TRANSACTION, ...changed },
  });
  const { data } = TRANSACTION;
  const transfer = encodeMultiSend([{ to: THIEF, data: '0xa9059cbb' }]);

  const SIGNATURE = ACCOUNT.deployment.setUpSignature;
  const withSignature = (setUpSignature: Hex | undefined): Offer => ({
    account: { ...ACCOUNT, deployment: { ...ACCOUNT.deployment, setUpSignature } },
    transaction: TRANSACTION,
  });

  it.each<[string, Offer | Promise<Offer>]>([
    ['another transaction of the Safe', withTransaction({ data: transfer.data })],
    ['a call of another contract', withTransaction({ to: THIEF })],
    ['a call in place of the delegation', withTransaction({ operation: 0 })],
    ['a call more', withTransaction({ data: `${data}${'00'.repeat(32)}` })],
    ['another second owner than the account names', { account: ACCOUNT, transaction: (await other({ platform: THIEF })).transaction }],
    [
      'a threshold of one',
      { ...FORMER, transaction: { ...FORMER.transaction, data: FORMER.transaction.data.replace(/2(0+)$/, '1$1') as Hex } },
    ],
    ['another nonce', withTransaction({ nonce: 1n })],
    ['a set-up that somebody else has signed', other({ signer: ownerWith('3') })],
    ['a set-up that the platform has not signed', withSignature(undefined)],
    [
      "the platform's signature over another set-up",
      withSignature((await other({ cooldownSeconds: 60 })).account.deployment.setUpSignature),
    ],
    ["a platform's signature of another form", withSignature('0x1234')],
    [
      "the platform's signature for a Safe that the wallet owns alone",
      {
        ...FORMER,
        account: { ...FORMER.account, deployment: { ...FORMER.account.deployment, setUpSignature: SIGNATURE } },
      },
    ],
    [
      'another user of the module',
      withTransaction({ data: data.replaceAll(OWNER.address.slice(2).toLowerCase(), THIEF.slice(2).toLowerCase()) as Hex }),
    ],
    ['a module with other times', { account: ACCOUNT, transaction: (await other({ cooldownSeconds: 90_001 })).transaction }],
    ['the Safe of another account', { ...OTHER, account: { ...OTHER.account, id: ACCOUNT_ID } }],
    ['a Safe of another owner', other({ owner: ownerWith('3').address })],
    ['a Safe that the account does not have', withTransaction({ safe: THIEF })],
    ['the same on another chain', withTransaction({ chainId: 1 })],
    ['an account without a deployment', { transaction: TRANSACTION, account: { ...ACCOUNT, deployment: undefined as never } }],
    ['a way out that takes too long', other({ cooldownSeconds: 30 * 24 * 3600 + 1 })],
    ['a way out that closes at once', other({ expirationSeconds: 59 })],
    ['terms of collection that the account does not tell', { account: ACCOUNT, transaction: (await other({ terms: TERMS })).transaction }],
    [
      'another treasury than the account tells',
      { ...COLLECTED, transaction: (await other({ terms: { ...TERMS, treasury: THIEF } })).transaction },
    ],
    [
      'another limit than the account tells',
      { ...COLLECTED, transaction: (await other({ terms: { ...TERMS, limits: [{ ...TERMS.limits[0], perDay: '5001' }] } })).transaction },
    ],
    [
      'a limit that is no number',
      {
        ...COLLECTED,
        account: {
          ...COLLECTED.account,
          deployment: { ...COLLECTED.account.deployment, collection: { ...TERMS, limits: [{ ...TERMS.limits[0], perDay: '-1' }] } },
        },
      },
    ],
    ['the wallet as both owners', other({ platform: OWNER.address })],
  ])('does not ask the wallet for %s', async (_name, offer) => {
    await expectRefusal(await offer);
  });

  it('holds to what the app knows', async () => {
    const known = { platformOwner: PLATFORM.toLowerCase(), maxCooldownSeconds: 90_000 };
    expect((await offerTo(OWNER, await honest(FACTS), known)).outcome).toBe('relaying');
    await expectRefusal(await other({ platform: THIEF }), known);
    await expectRefusal(await honest(FACTS), { maxCooldownSeconds: 89_999 });
    await expectRefusal(await honest(FACTS), { delayMastercopy: THIEF });
    await expectRefusal(COLLECTED, { treasury: THIEF });
    expect((await offerTo(OWNER, COLLECTED, { treasury: TREASURY })).outcome).toBe('relaying');
  });
});
