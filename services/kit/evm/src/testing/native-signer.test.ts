import { keccak256, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { createNativeSigner } from './native-signer.ts';

it('the native signer makes the signatures that viem makes (RFC 6979)', async () => {
  for (let index = 0; index < 50; index += 1) {
    const key = generatePrivateKey();
    const digest = keccak256(toHex(`message ${index}`));
    expect(createNativeSigner(key)(digest)).toBe(await privateKeyToAccount(key).sign({ hash: digest }));
  }
});
