import { hashMessage, recoverAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { joinSignature, malleated, withV } from '../testing/index.ts';
import { recoverSigner } from './index.ts';

const wallet = privateKeyToAccount(generatePrivateKey());
const digest = hashMessage('hello');
const signature = await wallet.signMessage({ message: 'hello' });

describe('recoverSigner', () => {
  it('returns the wallet that signed the digest, in any case of the hex digits', async () => {
    expect(await recoverSigner(digest, signature)).toBe(wallet.address);
    expect(await recoverSigner(digest, `0x${signature.slice(2).toUpperCase()}`)).toBe(wallet.address);
  });

  it('returns another address for another digest', async () => {
    expect(await recoverSigner(hashMessage('hello.'), signature)).not.toBe(wallet.address);
  });

  it.each([
    ['high s', malleated(signature)],
    ['v 0', withV(signature, 0)],
    ['64 bytes', signature.slice(0, 130)],
    ['no hex', 'signature'],
  ])('returns undefined for %s', async (_what, text) => {
    expect(await recoverSigner(digest, text)).toBeUndefined();
  });

  it('agrees with viem on every form of v and length that is canonical, and on no other', async () => {
    for (let v = 0; v < 256; v += 1) {
      const text = withV(signature, v);
      const expected = v === 27 || v === 28 ? await recoverAddress({ hash: digest, signature: text }) : undefined;
      expect(await recoverSigner(digest, text)).toBe(expected);
    }
    for (const text of ['0x', signature.slice(0, 130), `${signature}00`, signature.slice(2)]) {
      expect(await recoverSigner(digest, text)).toBeUndefined();
    }
  });

  it('returns undefined when r is not on the curve', async () => {
    const signatures = Array.from({ length: 40 }, (_, index) => joinSignature({ r: BigInt(index + 1), s: 1n, v: 27 }));
    const signers = await Promise.all(signatures.map((text) => recoverSigner(digest, text)));
    expect(signers).toContain(undefined);
    expect(signers.some((signer) => signer !== undefined)).toBe(true);
  });
});
