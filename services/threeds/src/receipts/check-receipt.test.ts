import { malleated, signTypedMessage, withV } from '@florin/evm/testing';
import { messageDigest, recoverMessageSigner, toSignable } from '@florin/evm/typed-messages';
import { Decision } from '@florin/proto/threeds/v1/challenge';
import fc from 'fast-check';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decisionTypedData } from '../domain/decision-typed-data.ts';
import { createWorld, type Instance, type World } from '../testing/world.ts';
import { checkReceipt } from './check-receipt.ts';
import { ReceiptError } from './read-receipt.ts';

let world: World;
let app: Instance;
/** A receipt as grpcurl prints it. */
let text: string;
let wallet: ReturnType<typeof privateKeyToAccount>;

beforeAll(async () => {
  world = await createWorld();
  app = await world.start();
  const { person, id, user } = await world.raise(app);
  wallet = person.wallet;
  await user.decide(id, Decision.APPROVE, wallet);
  text = await app.receiptJson(id);
});
afterAll(() => world?.close());

const failureOf = async (receipt: string): Promise<string | undefined> => {
  try {
    for await (const { open } of checkReceipt(receipt)) expect(open).toBeUndefined();
    return undefined;
  } catch (error) {
    if (error instanceof ReceiptError) return error.message;
    throw error;
  }
};

type Receipt = { typedData: Record<string, unknown>; merchant: Record<string, unknown>; [name: string]: unknown };
const changed = (change: (receipt: Receipt) => unknown): string => {
  const { receipt } = JSON.parse(text) as { receipt: Receipt };
  change(receipt);
  return JSON.stringify({ receipt });
};

/** The same receipt in the words of the REST interface. */
const inRestWords = (whole: string, withDomainType = false): Record<string, unknown> => {
  const { decision, signerType, typedData, ...facts } = (JSON.parse(whole) as { receipt: Receipt }).receipt;
  const { domainName: name, domainVersion: version, domainChainId: chainId, messageTypes, ...message } = typedData;
  const EIP712Domain = Object.entries({ name: 'string', version: 'string', chainId: 'uint256' }).map(([field, type]) => ({
    name: field,
    type,
  }));
  return {
    ...facts,
    decision: String(decision).replace('DECISION_', '').toLowerCase(),
    signerType: String(signerType).replace('SIGNER_TYPE_', '').toLowerCase(),
    typedData: {
      domain: { name, version, chainId },
      primaryType: 'Message',
      types: { ...(withDomainType ? { EIP712Domain } : {}), Message: messageTypes },
      message,
    },
  };
};

describe('a receipt of the REST interface', () => {
  it('is verified alone, and in the response that has it', async () => {
    for (const withDomainType of [false, true]) {
      const receipt = inRestWords(text, withDomainType);
      expect(await failureOf(JSON.stringify(receipt))).toBeUndefined();
      expect(await failureOf(JSON.stringify({ receipt, foreign: { decimals: 2 } }))).toBeUndefined();
    }
  });

  it('with any one byte changed is rejected', async () => {
    const bytes = Buffer.from(JSON.stringify(inRestWords(text, true)));
    for (let index = 0; index < bytes.length; index += 1) {
      const flipped = Buffer.from(bytes);
      flipped[index] = (bytes[index] ?? 0) ^ (1 << (index % 8));
      expect(
        await failureOf(flipped.toString()),
        `byte ${index}: ${flipped.toString().slice(Math.max(0, index - 20), index + 20)}`,
      ).toBeDefined();
    }
  });

  it.each([
    ['another decision', { decision: 'decline' }],
    ['another primary type', { typedData: { primaryType: 'Other' } }],
    ['a field that it does not have', { note: 'x' }],
    ['the words of the contract', { signerType: 'SIGNER_TYPE_WALLET' }],
  ])('with %s is rejected', async (_name, wrong) => {
    const receipt = inRestWords(text);
    const typedData = { ...(receipt['typedData'] as object), ...(wrong as { typedData?: object }).typedData };
    expect(await failureOf(JSON.stringify({ ...receipt, ...wrong, typedData }))).toBeDefined();
  });
});

describe('a receipt', () => {
  it('of a wallet is fully verified offline', async () => {
    const found: string[] = [];
    for await (const finding of checkReceipt(text)) found.push(finding.text);
    expect(found).toEqual([
      expect.stringMatching(/^receipt of challenge /),
      'signed text: APPROVE this card payment',
      'signed text: Amount: 19.99 EUR',
      'signed text: Card: **** 4242',
      'signed text: Merchant: Corner Shop (DE)',
      'signed text: Merchant ID: M-1',
      expect.stringMatching(/^signed text: Challenge: /),
      expect.stringMatching(/^signed text: Expires: /),
      expect.stringMatching(/^typed data: domain "Florin 3DS" version 1 on chain 100, digest 0x[0-9a-f]{64}$/),
      expect.stringMatching(/^nonce: [0-9]+$/),
      expect.stringMatching(/^times: /),
      `signature: canonical, by wallet ${wallet.address}`,
      'fingerprint: matches all fields',
    ]);
  });

  it.each([false, true])(
    'is valid for any merchant and JSON formatting, with the name in quotation marks or without (%s)',
    async (quoted) => {
      for (const merchant of [{}, { id: 'M-1' }, { displayName: 'Café "Ünïcode" \\ & <b>' }]) {
        const person = world.newPerson();
        const { id } = await app.acs.create({ ...world.payment(person), merchant, currency: 'JPY', decimals: 0 });
        const user = app.user(person);
        await user.submit(id, Decision.DECLINE, await signTypedMessage(person.wallet, await user.issue(id, Decision.DECLINE, quoted)));
        const json = await app.receiptJson(id);
        expect(await failureOf(json)).toBeUndefined();
        expect(await failureOf(JSON.stringify(JSON.parse(json)))).toBeUndefined();
      }
    },
  );

  it('with any one byte changed is rejected', async () => {
    const bytes = Buffer.from(text);
    for (let index = 0; index < bytes.length; index += 1) {
      const flipped = Buffer.from(bytes);
      flipped[index] = (bytes[index] ?? 0) ^ (1 << (index % 8));
      const failure = await failureOf(flipped.toString());
      expect(failure, `byte ${index}: ${flipped.toString().slice(Math.max(0, index - 20), index + 20)}`).toBeDefined();
    }
  });

  it('with any byte replaced is rejected, unless it parses to the same JSON', async () => {
    const bytes = Buffer.from(text);
    const same = JSON.stringify(JSON.parse(text));
    const change = fc.record({ index: fc.nat(bytes.length - 1), mask: fc.integer({ min: 1, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(change, async ({ index, mask }) => {
        const other = Buffer.from(bytes);
        other[index] = (bytes[index] ?? 0) ^ mask;
        const failure = await failureOf(other.toString());
        if (failure === undefined) expect(JSON.stringify(JSON.parse(other.toString()))).toBe(same);
      }),
      { numRuns: 500 },
    );
  });

  it('without any one of its fields is rejected', async () => {
    const { receipt } = JSON.parse(text) as { receipt: Receipt };
    for (const name of Object.keys(receipt)) {
      expect(await failureOf(changed((given) => delete given[name])), name).toBeDefined();
    }
    for (const name of Object.keys(receipt.typedData)) {
      expect(await failureOf(changed(({ typedData }) => delete typedData[name])), name).toBeDefined();
    }
  });

  const forgeries: [string, (receipt: Receipt) => unknown, RegExp][] = [
    ['another decision', (r) => (r['decision'] = 'DECISION_DECLINE'), /does not contain the line "DECLINE/],
    ['no decision', (r) => (r['decision'] = 'DECISION_UNSPECIFIED'), /decision is neither/],
    ['another amount', (r) => (r['amount'] = '1998'), /does not contain the line "Amount: 19.98 EUR"/],
    ['another scale', (r) => (r['decimals'] = 3), /does not contain the line "Amount: 1.999 EUR"/],
    ['another currency', (r) => (r['currency'] = 'USD'), /does not contain the line "Amount: 19.99 USD"/],
    ['another card', (r) => (r['cardLast4'] = '4243'), /does not contain the line "Card/],
    ['another merchant', (r) => (r.merchant['displayName'] = 'Corner Shob'), /does not contain the line "Merchant/],
    ['another merchant id', (r) => (r.merchant['id'] = 'M-2'), /does not contain the line "Merchant ID/],
    ['another merchant category, which is not signed', (r) => (r.merchant['categoryCode'] = '5412'), /fingerprint/],
    ['another challenge', (r) => (r['challengeId'] = '01890a5d-ac96-774b-bcce-b302099a8057'), /does not contain the line "Challenge/],
    ['a later expiry', (r) => (r['expiresAt'] = '2099-01-01T00:00:00Z'), /does not contain the line "Expires/],
    ['another text', ({ typedData: t }) => (t['authorization'] = `${String(t['authorization'])}\nMore`), /contains more lines/],
    ['another nonce', ({ typedData: t }) => (t['nonce'] = '1'), /typedDataHash/],
    ['a nonce with a leading zero', ({ typedData: t }) => (t['nonce'] = `0${String(t['nonce'])}`), /nonce is not a canonical/],
    ['a nonce of 257 bits', ({ typedData: t }) => (t['nonce'] = String(1n << 256n)), /nonce is more than 256 bits/],
    ['another chain', ({ typedData: t }) => (t['domainChainId'] = 1), /typedDataHash/],
    ['another domain', ({ typedData: t }) => (t['domainName'] = 'Florin'), /domainName/],
    ['another version', ({ typedData: t }) => (t['domainVersion'] = '2'), /domainVersion/],
    ['other types', ({ typedData: t }) => (t['messageTypes'] = []), /messageTypes/],
    ['another digest', (r) => (r['typedDataHash'] = `0x${'00'.repeat(32)}`), /typedDataHash/],
    ['another signer', (r) => (r['signer'] = privateKeyToAccount(generatePrivateKey()).address), /not made by signer/],
    ['the signer in lower case', (r) => (r['signer'] = String(r['signer']).toLowerCase()), /EIP-55/],
    ['the malleated signature', (r) => (r['signature'] = malleated(String(r['signature']))), /canonical/],
    ['a signature with v 0', (r) => (r['signature'] = withV(String(r['signature']), 0)), /canonical/],
    ['a longer signature', (r) => (r['signature'] = `${String(r['signature'])}00`), /canonical/],
    ['a signature in upper case', (r) => (r['signature'] = `0x${String(r['signature']).slice(2).toUpperCase()}`), /lower-case/],
    ['a block', (r) => (r['blockNumber'] = '7'), /blockNumber must not be set/],
    ['a Safe as the signer type of a wallet', (r) => (r['signerType'] = 'SIGNER_TYPE_SAFE'), /fingerprint/],
    ['a decision before its typed data', (r) => (r['decidedAt'] = '2000-01-01T00:00:00Z'), /before issuedAt/],
    ['a decision at the expiry', (r) => (r['decidedAt'] = r['expiresAt']), /not before expiresAt/],
    ['typed data issued earlier', (r) => (r['issuedAt'] = '2000-01-01T00:00:00Z'), /fingerprint/],
    ['another fingerprint', (r) => (r['fingerprint'] = `0x${'00'.repeat(32)}`), /fingerprint/],
    ['a field that the contract does not know', (r) => (r['note'] = 'x'), /not the JSON/],
  ];
  it.each(forgeries)('with %s is rejected with its reason', async (_name, change, message) => {
    expect(await failureOf(changed(change))).toMatch(message);
  });

  it.each([
    ['an empty file', ''],
    ['text that is not JSON', 'receipt'],
    ['a response without receipt', '{}'],
    ['another message', '{"challenge":{}}'],
    ['an empty receipt', '{"receipt":{}}'],
    ['a file that is too large', ' '.repeat(70_000)],
  ])('is not read from %s', async (_name, content) => {
    expect(await failureOf(content)).toBeDefined();
  });

  it.each(['"amount"', '"displayName"', '"receipt"'])('with a second %s for human readers is rejected', async (name) => {
    const value = JSON.stringify({ '"amount"': '1', '"displayName"': 'Friendly "Shop": \\', '"receipt"': {} }[name]);
    expect(await failureOf(text.replace(name, `${name}: ${value}, ${name}`))).toMatch(/duplicate object key/);
  });

  it('signed over other typed data is rejected even if everything else matches', async () => {
    const { typedData } = (JSON.parse(text) as { receipt: { typedData: { authorization: string } } }).receipt;
    const other = decisionTypedData(100, { authorization: typedData.authorization, nonce: '1' });
    const signature = await wallet.signTypedData(toSignable(other));
    expect(await recoverMessageSigner(other, signature)).toBe(wallet.address);
    const swap = (receipt: Receipt) => Object.assign(receipt, { signature });
    expect(await failureOf(changed(swap))).toMatch(/not made by signer/);
    const whole = (receipt: Receipt) => {
      swap(receipt).typedData['nonce'] = '1';
      receipt['typedDataHash'] = messageDigest(other);
    };
    // Consistent except for the fingerprint: anyone with the wallet's key can create such a receipt.
    expect(await failureOf(changed(whole))).toMatch(/fingerprint/);
  });
});
