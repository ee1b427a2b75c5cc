import { randomBytes } from 'node:crypto';
import { loadJavascriptRecoverer, loadNativeRecoverer, loadWasmRecoverer } from '@florin/evm/secp256k1';
import { SECP256K1_ORDER } from '@florin/evm/testing';
import { generatePrivateKey, sign } from 'viem/accounts';

type Question = { digest: Buffer; signature: Buffer; parity: 0 | 1 };

const hex32 = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const flipped = (parity: 0 | 1): 0 | 1 => (parity === 0 ? 1 : 0);

/** A signature, its malleated twin, which recovers the same key, one with the wrong parity, and random bytes. */
const questions = async (): Promise<[Question, Question, Question, Question]> => {
  const digest = randomBytes(32);
  const made = await sign({ hash: `0x${digest.toString('hex')}`, privateKey: generatePrivateKey() });
  const parity = made.yParity as 0 | 1;
  const [r, s] = [hex32(BigInt(made.r)), hex32(BigInt(made.s))];
  return [
    { digest, signature: Buffer.concat([r, s]), parity },
    { digest, signature: Buffer.concat([r, hex32(SECP256K1_ORDER - BigInt(made.s))]), parity: flipped(parity) },
    { digest, signature: Buffer.concat([r, s]), parity: flipped(parity) },
    { digest: randomBytes(32), signature: randomBytes(64), parity },
  ];
};

export type Comparison = {
  /** Signatures that were compared: a multiple of four. */
  compared: number;
  /** Those from which a key was recovered. */
  recovered: number;
  /** The first disagreement. */
  failure: string | undefined;
};

/** Recovers keys from random and altered signatures with the native, the WebAssembly and the JavaScript library, and compares them. */
export const compareRecoverers = async (count: number): Promise<Comparison> => {
  const recoverers = await Promise.all([loadNativeRecoverer(), loadWasmRecoverer(), loadJavascriptRecoverer()]);
  const answersTo = ({ digest, signature, parity }: Question): Promise<(string | undefined)[]> =>
    Promise.all(
      recoverers.map(async ({ recover }) => {
        const key = await recover(digest, signature, parity);
        return key === undefined ? undefined : Buffer.from(key).toString('hex');
      }),
    );
  let compared = 0;
  let recovered = 0;
  const failed = (what: string, { digest, signature, parity }: Question): Comparison => ({
    compared,
    recovered,
    failure: `${what}: digest ${digest.toString('hex')}, signature ${signature.toString('hex')}, parity ${parity}`,
  });
  while (compared < count) {
    const asked = await questions();
    const keys: (string | undefined)[] = [];
    for (const question of asked) {
      const [key, ...others] = await answersTo(question);
      if (others.some((other) => other !== key)) return failed('the libraries disagree', question);
      keys.push(key);
      compared += 1;
      if (key !== undefined) recovered += 1;
    }
    if (keys[0] === undefined || keys[0] !== keys[1]) return failed('a signature and its malleated twin have different keys', asked[1]);
    // Timers, among them the timeout of a test, have their turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { compared, recovered, failure: undefined };
};
