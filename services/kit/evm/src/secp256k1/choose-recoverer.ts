import { loadJavascriptRecoverer } from './javascript-recoverer.ts';
import { loadNativeRecoverer } from './native-recoverer.ts';
import type { Recoverer } from './recoverer.ts';
import { loadWasmRecoverer } from './wasm-recoverer.ts';

type Load = () => Promise<Recoverer>;

/** The point 2G as a signature: r and s are its x coordinate. A recoverer that does not find a key for it does not work here. */
const PROBE = Buffer.from('c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5'.repeat(2), 'hex');

const worksWith = async ({ recover }: Recoverer): Promise<boolean> => (await recover(PROBE.subarray(0, 32), PROBE, 1)) !== undefined;

/** Loads the first recoverer that works. @throws Error when none does */
export const chooseRecoverer = async (candidates: readonly Load[]): Promise<Recoverer> => {
  for (const load of candidates) {
    const recoverer = await load().catch(() => undefined);
    if (recoverer !== undefined && (await worksWith(recoverer))) return recoverer;
  }
  throw new Error('no implementation of secp256k1 works');
};

let chosen: Promise<Recoverer> | undefined;

/** The fastest recoverer that works on this machine. It is loaded once per process. */
export const theRecoverer = (): Promise<Recoverer> => {
  chosen ??= chooseRecoverer([loadNativeRecoverer, loadWasmRecoverer, loadJavascriptRecoverer]);
  return chosen;
};
