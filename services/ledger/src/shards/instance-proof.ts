import type { ServiceKey, ServiceTrust } from '@florin/rpc/auth';
import { createSigningKey, isSignedBy } from '@florin/rpc/signing-key';

/** Shows that a process is an instance of this ledger, and recognizes others. */
export type InstanceProofs = {
  /** Answer to a challenge. @param url where the other instances reach this one */
  prove: (url: string, nonce: Uint8Array) => string;
  /** Reports whether an instance of this ledger that is reached at `url` has answered the challenge. */
  isProof: (url: string, nonce: Uint8Array, signature: string) => boolean;
};

/** Name under which instances trust the keys of each other while the service key is being replaced. */
const LEDGER = 'ledger';

/**
 * Addresses of instances come from Redis, and whoever writes there must not learn the tokens of callers. So each instance has to prove
 * itself before anything is forwarded to it: it signs a random challenge together with its own address. A forged lease names a process
 * that cannot sign; an old lease may name an address that belongs to another process by now, which cannot either; and an answer that is
 * relayed names the address of the instance that gave it.
 * @param scope tells the instances of one database from those of another
 */
export const createInstanceProofs = ({
  scope,
  serviceKey,
  trust,
}: {
  scope: string;
  serviceKey: ServiceKey;
  trust: ServiceTrust;
}): InstanceProofs => {
  const key = createSigningKey(serviceKey);
  const keys = [key.publicKey, ...trust.clients.filter(({ name }) => name === LEDGER).map((client) => client.key)];
  const textOf = (url: string, nonce: Uint8Array): string =>
    JSON.stringify(['florin-ledger-instance-1', scope, url, Buffer.from(nonce).toString('base64url')]);
  return {
    prove: (url, nonce) => key.sign(textOf(url, nonce)),
    isProof: (url, nonce, signature) => keys.some((one) => isSignedBy(one, textOf(url, nonce), signature)),
  };
};
