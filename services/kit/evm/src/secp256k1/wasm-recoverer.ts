import { haveLengths, type Recoverer } from './recoverer.ts';

/** Recovers with libsecp256k1 as WebAssembly. @throws Error when the module cannot be loaded */
export const loadWasmRecoverer = async (): Promise<Recoverer> => {
  const { recover } = await import('tiny-secp256k1');
  return {
    name: 'wasm',
    recover: (digest, signature, parity) => {
      if (!haveLengths(digest, signature)) return undefined;
      try {
        return recover(digest, signature, parity, false) ?? undefined;
      } catch {
        return undefined;
      }
    },
  };
};
