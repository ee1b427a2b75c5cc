import { recoverTypedSignature, SignTypedDataVersion, signTypedData, TypedDataUtils } from '@metamask/eth-sig-util';
import { TypedDataEncoder, verifyTypedData, version, Wallet } from 'ethers';
import { type Hex, hashTypedData } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import {
  createCard,
  type Decision,
  issueTypedData,
  type Person,
  raiseChallenge,
  registerPerson,
  submitDecision,
  type TypedData,
} from '../support/story.ts';

/**
 * A signer as apps use it. It receives the response of `decision-challenge` as sent; it may add what its library requires, but
 * nothing that Florin would have to know about.
 */
type Signer = { digest: (data: TypedData) => string; sign: (key: Hex, data: TypedData) => Promise<string>; recover: Recover };
type Recover = (data: TypedData, signature: string) => string;

const fieldsOf = ({ types }: TypedData) => ({ Message: [...types.Message] });

/** The domain type, which `eth_signTypedData_v4` requires; the other two derive it from the domain. */
const withDomainType = (data: TypedData) => ({
  ...data,
  types: {
    ...fieldsOf(data),
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
  },
});

const asViem = (data: TypedData) => data as unknown as Parameters<typeof hashTypedData>[0];

const ethers: Signer = {
  digest: (data) => TypedDataEncoder.hash(data.domain, fieldsOf(data), data.message),
  sign: (key, data) => new Wallet(key).signTypedData(data.domain, fieldsOf(data), data.message),
  recover: (data, signature) => verifyTypedData(data.domain, fieldsOf(data), data.message, signature),
};

const metamask: Signer = {
  digest: (data) => `0x${Buffer.from(TypedDataUtils.eip712Hash(withDomainType(data), SignTypedDataVersion.V4)).toString('hex')}`,
  sign: async (key, data) =>
    signTypedData({ privateKey: Buffer.from(key.slice(2), 'hex'), data: withDomainType(data), version: SignTypedDataVersion.V4 }),
  recover: (data, signature) => recoverTypedSignature({ data: withDomainType(data), signature, version: SignTypedDataVersion.V4 }),
};

const viem: Pick<Signer, 'digest' | 'sign'> = {
  digest: (data) => hashTypedData(asViem(data)),
  sign: (key, data) => privateKeyToAccount(key).signTypedData(asViem(data)),
};

const key = generatePrivateKey();
let platform: PlatformInProcess;
let person: Person;
let cardId: string;
beforeAll(async () => {
  platform = await startPlatformInProcess();
  person = await registerPerson(platform.api, privateKeyToAccount(key));
  cardId = await createCard(platform.api, person.token);
});
afterAll(() => platform?.close());

const SIGNERS = { viem, 'ethers 6': ethers, '@metamask/eth-sig-util': metamask };

describe('typed data as the service returns it', () => {
  it('is tested with version 6 of ethers', () => {
    expect(version).toMatch(/^6\./);
  });

  it.each<Decision>(['approve', 'decline'])('to %s has the same digest and signature in every library', async (decision) => {
    const id = await raiseChallenge(platform.api, person.token, cardId, { merchant: { displayName: 'Bäckerei Świt 麵包 🥐' } });
    const data = await issueTypedData(platform.api, person.token, id, decision);
    const digest = viem.digest(data);
    expect([ethers.digest(data), metamask.digest(data)]).toEqual([digest, digest]);
    const signature = await viem.sign(key, data);
    expect([await ethers.sign(key, data), await metamask.sign(key, data)]).toEqual([signature, signature]);
    expect([ethers.recover(data, signature), metamask.recover(data, signature)].map((address) => address.toLowerCase())).toEqual(
      Array(2).fill(person.wallet.address.toLowerCase()),
    );
  });

  it.each(Object.entries(SIGNERS))('is accepted when signed by %s', async (_name, signer) => {
    const approved = await raiseChallenge(platform.api, person.token, cardId);
    const data = await issueTypedData(platform.api, person.token, approved, 'approve');
    const { challenge } = await submitDecision(platform.api, person.token, approved, 'approve', await signer.sign(key, data));
    expect(challenge).toMatchObject({ status: 'approved', decision: 'approve' });
  });

  it('has the same digest in every library with the lowest and highest nonce', () => {
    for (const nonce of ['0', '1', String(2n ** 256n - 1n)]) {
      const data: TypedData = {
        domain: { name: 'Florin 3DS', version: '1', chainId: 100 },
        primaryType: 'Message',
        types: {
          Message: [
            { name: 'authorization', type: 'string' },
            { name: 'nonce', type: 'uint256' },
          ],
        },
        message: { authorization: 'APPROVE this card payment', nonce },
      };
      const digest = viem.digest(data);
      expect([ethers.digest(data), metamask.digest(data)]).toEqual([digest, digest]);
    }
  });
});
