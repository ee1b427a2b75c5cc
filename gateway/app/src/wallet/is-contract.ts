import { chosenWallet } from './chosen-wallet.ts';
import { findWallet } from './find-wallets.ts';

/** The code of a plain wallet that has delegated to a contract, and signs on (EIP-7702). */
const DELEGATED = /^0xef0100[0-9a-f]{40}$/i;

/** How long a wallet may take to answer: a person waits for it before signing. */
const PATIENCE_MS = 3000;

const ask = async (chainId: number, address: string): Promise<boolean> => {
  try {
    const chosen = chosenWallet();
    const provider = chosen && (await findWallet(chosen.rdns))?.provider;
    if (provider === undefined || Number(await provider.request({ method: 'eth_chainId' })) !== chainId) return false;
    const code = await provider.request({ method: 'eth_getCode', params: [address, 'latest'] });
    return typeof code === 'string' && code !== '0x' && !DELEGATED.test(code);
  } catch {
    return false;
  }
};

/**
 * Returns true if the node of the wallet that signed in has a contract at an address. False if it does not say so: it may be on another chain, or answer no such
 * questions in time, and nobody is asked to switch it for that.
 */
export const isContract = (chainId: number, address: string): Promise<boolean> =>
  Promise.race([ask(chainId, address), new Promise<false>((resolve) => setTimeout(() => resolve(false), PATIENCE_MS))]);
