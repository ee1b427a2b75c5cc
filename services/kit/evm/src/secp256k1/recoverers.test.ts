import { describe, expect, it } from 'vitest';
import { SECP256K1_ORDER } from '../testing/index.ts';
import { chooseRecoverer, loadJavascriptRecoverer, loadNativeRecoverer, loadWasmRecoverer, theRecoverer } from './index.ts';

/** Field prime (SEC 2, section 2.4.1). */
const PRIME = 2n ** 256n - 2n ** 32n - 977n;
const GX = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n;

const hex32 = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

const recoverers = await Promise.all([loadNativeRecoverer(), loadWasmRecoverer(), loadJavascriptRecoverer()]);

type Question = { digest: Buffer; signature: Buffer; parity: 0 | 1 };

const answersTo = ({ digest, signature, parity }: Question): Promise<(string | undefined)[]> =>
  Promise.all(
    recoverers.map(async ({ recover }) => {
      const key = await recover(digest, signature, parity);
      return key === undefined ? undefined : Buffer.from(key).toString('hex');
    }),
  );

const question = (digest: bigint, r: bigint, s: bigint, parity: 0 | 1): Question => ({
  digest: hex32(digest),
  signature: Buffer.concat([hex32(r), hex32(s)]),
  parity,
});

/** Values at which implementations differ if they differ anywhere. */
const EDGES = [
  0n,
  1n,
  2n,
  3n,
  5n,
  GX,
  SECP256K1_ORDER / 2n,
  SECP256K1_ORDER / 2n + 1n,
  SECP256K1_ORDER - 1n,
  SECP256K1_ORDER,
  SECP256K1_ORDER + 1n,
  PRIME - SECP256K1_ORDER,
  PRIME - 1n,
  PRIME,
  PRIME + 1n,
  2n ** 256n - 1n,
];

const expectSame = async (questions: readonly Question[]): Promise<(string | undefined)[]> => {
  const found: (string | undefined)[] = [];
  for (const one of questions) {
    const [native, ...others] = await answersTo(one);
    for (const other of others) expect(other).toBe(native);
    found.push(native);
  }
  return found;
};

describe('the recoverers', () => {
  it('agree at the edges of the ranges of digest, r and s', async () => {
    const questions = EDGES.flatMap((r) =>
      EDGES.flatMap((s) => [0n, 1n, SECP256K1_ORDER, 2n ** 256n - 1n].map((digest, index) => question(digest, r, s, (index % 2) as 0 | 1))),
    );
    const found = await expectSame(questions);
    expect(found).toContain(undefined);
    expect(found.some((key) => key !== undefined)).toBe(true);
  });

  it('find no key where it would be the point at infinity', async () => {
    // R = G, so Q = r⁻¹(s·G − z·G) is the point at infinity when s = z.
    for (const parity of [0, 1] as const) {
      const z = parity === 0 ? 7n : SECP256K1_ORDER - 7n;
      expect(await answersTo(question(z, GX, 7n, parity))).toEqual([undefined, undefined, undefined]);
    }
  });

  it('find no key for r and s that are zero or not below the order', async () => {
    for (const [r, s] of [
      [0n, 1n],
      [1n, 0n],
      [SECP256K1_ORDER, 1n],
      [GX, SECP256K1_ORDER],
      [GX, 2n ** 256n - 1n],
    ] as const) {
      expect(await answersTo(question(5n, r, s, 0))).toEqual([undefined, undefined, undefined]);
    }
  });

  it.each([0, 1, 63, 65])('find no key for a signature of %i bytes', async (length) => {
    expect(await answersTo({ digest: hex32(5n), signature: Buffer.alloc(length, 1), parity: 0 })).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('choosing a recoverer', () => {
  it('takes the native one on this machine', async () => {
    expect((await theRecoverer()).name).toBe('native');
    expect(await theRecoverer()).toBe(await theRecoverer());
  });

  it('falls back when one cannot be loaded or does not work', async () => {
    const missing = async () => {
      throw new Error('no prebuilt addon');
    };
    const broken = async () => ({ name: 'native' as const, recover: () => undefined });
    expect((await chooseRecoverer([missing, broken, loadWasmRecoverer])).name).toBe('wasm');
    expect((await chooseRecoverer([missing, missing, loadJavascriptRecoverer])).name).toBe('javascript');
    await expect(chooseRecoverer([missing])).rejects.toThrow('no implementation');
  });
});
