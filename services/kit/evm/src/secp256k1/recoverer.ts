/** An implementation of public key recovery on secp256k1 (SEC 1, section 4.1.6). */
export type Recoverer = {
  /** `native`: libsecp256k1 as an addon; `wasm`: the same as WebAssembly; `javascript`: @noble/curves. */
  name: 'native' | 'wasm' | 'javascript';
  /**
   * @param digest the 32 bytes that were signed
   * @param signature r and s, 64 bytes
   * @param parity whether the y coordinate of the point at r is odd
   * @returns the uncompressed public key, 65 bytes; undefined when there is none: a length is wrong, r or s is zero or not below the order, r is not the x
   * coordinate of a point, or the key would be the point at infinity
   */
  recover: (digest: Uint8Array, signature: Uint8Array, parity: 0 | 1) => Promise<Uint8Array | undefined> | Uint8Array | undefined;
};

/** Reports whether digest and signature have the lengths that libraries expect; they differ in what they make of others. */
export const haveLengths = (digest: Uint8Array, signature: Uint8Array): boolean => digest.length === 32 && signature.length === 64;
