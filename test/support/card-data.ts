import { CompactEncrypt, CompactSign, calculateJwkThumbprint, compactDecrypt, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { ApiClient } from './api-client.ts';
import { type Person, signTypedData, type TypedData } from './story.ts';

export type CardDetails = { pan: string; expMonth: number; expYear: number; cvv2: string };
type Action = 'view-details' | 'view-pin' | 'set-pin';

/** Shows the data of a card as an app does, over the public interface only: a key pair, a consent by the wallet, and the decryption. */
export const createCardDataApp = async (api: ApiClient, { token, wallet }: Pick<Person, 'token' | 'wallet'>) => {
  const { privateKey, publicKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
  const key = await exportJWK(publicKey);
  const signingKey = await importJWK(await exportJWK(privateKey), 'ES256');
  const thumbprint = await calculateJwkThumbprint(key);

  const consent = async (cardId: string, action: Action) => {
    const query = new URLSearchParams({ action, thumbprint });
    const typedData = await api.call<TypedData>('GET', `/pci/cards/${cardId}/challenge?${query}`, { token });
    return { typedData, signature: await signTypedData(wallet, typedData) };
  };
  const open = async <T>(jwe: string): Promise<T> => {
    const { plaintext } = await compactDecrypt(jwe, privateKey);
    return JSON.parse(new TextDecoder().decode(plaintext)) as T;
  };
  const reveal = async <T>(cardId: string, action: Exclude<Action, 'set-pin'>): Promise<T> => {
    const { signature } = await consent(cardId, action);
    const { jwe } = await api.call<{ jwe: string }>('POST', `/pci/cards/${cardId}/reveal`, { token, body: { action, signature, key } });
    return open<T>(jwe);
  };
  const encode = (text: string) => new TextEncoder().encode(text);

  return {
    key,
    open,
    thumbprint,
    viewDetails: (cardId: string) => reveal<CardDetails>(cardId, 'view-details'),
    viewPin: async (cardId: string) => (await reveal<{ pin: string }>(cardId, 'view-pin')).pin,
    setPin: async (cardId: string, pin: string): Promise<void> => {
      const { typedData, signature } = await consent(cardId, 'set-pin');
      const { keys } = await api.call<{ keys: JWK[] }>('GET', '/pci/keys');
      const vaultKey = keys.find(({ kid = '' }) => typedData.message.authorization.includes(`Vault key: ${kid}`));
      if (vaultKey === undefined) throw new Error('the text to sign names no published key of the vault');
      const signed = await new CompactSign(encode(JSON.stringify({ pin, nonce: typedData.message.nonce })))
        .setProtectedHeader({ alg: 'ES256', jwk: key })
        .sign(signingKey);
      const jwe = await new CompactEncrypt(encode(signed))
        .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' })
        .encrypt(await importJWK(vaultKey, 'ECDH-ES'));
      await api.call('PUT', `/pci/cards/${cardId}/pin`, { token, body: { jwe, signature } });
    },
  };
};
