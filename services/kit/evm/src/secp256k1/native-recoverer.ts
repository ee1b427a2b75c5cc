import { createRequire } from 'node:module';
import { haveLengths, type Recoverer } from './recoverer.ts';

type Bindings = { ecdsaRecover: (signature: Uint8Array, recovery: number, digest: Uint8Array, compressed: boolean) => Uint8Array };

/**
 * Recovers with libsecp256k1 as a native addon. The addon comes prebuilt in its package; its pure JavaScript fallback (elliptic) is not
 * used.
 * @throws Error on a platform without a prebuilt addon
 */
export const loadNativeRecoverer = async (): Promise<Recoverer> => {
  const { ecdsaRecover } = createRequire(import.meta.url)('secp256k1/bindings') as Bindings;
  return {
    name: 'native',
    recover: (digest, signature, parity) => {
      if (!haveLengths(digest, signature)) return undefined;
      try {
        return ecdsaRecover(signature, parity, digest, false);
      } catch {
        return undefined;
      }
    },
  };
};
