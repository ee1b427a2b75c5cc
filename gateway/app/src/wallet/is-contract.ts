import { chosenWallet } from './chosen-wallet.ts';
import { findWallet } from './find-wallets.ts';

/** The code of a plain wallet that has delegated to a contract, and signs on (EIP-7702). */
const DELEGATED = /^0xef0100[0-9a-f]{40}$/i;

/**
 * Returns true if the node of the wallet that signed in has a contract at an address. False if it does not say so: it may be on another chain, or answer no such
 * questions, and nobody is asked to switch it for that.
 */
export const isContract = async (chainId: number, address: string): Promise<boolean> => {
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
