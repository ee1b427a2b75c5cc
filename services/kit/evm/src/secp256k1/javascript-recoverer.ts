import { bytesToHex, hexToBytes, recoverPublicKey } from 'viem';
import { haveLengths, type Recoverer } from './recoverer.ts';

/** Recovers in pure JavaScript, which works everywhere and is some thirty times slower than the native addon. */
export const loadJavascriptRecoverer = async (): Promise<Recoverer> => ({
  name: 'javascript',
  recover: async (digest, signature, parity) => {
    if (!haveLengths(digest, signature)) return undefined;
    try {
      const parts = { r: bytesToHex(signature.subarray(0, 32)), s: bytesToHex(signature.subarray(32)), yParity: parity };
      return hexToBytes(await recoverPublicKey({ hash: bytesToHex(digest), signature: parts }));
    } catch {
      return undefined;
    }
  },
});
