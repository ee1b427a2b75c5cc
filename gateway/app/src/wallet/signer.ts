import type { Address, Hex, LocalAccount, TypedDataDefinition } from 'viem';
import { toAccount } from 'viem/accounts';
import { getAddress, stringify, toHex } from 'viem/utils';
import { chainNameOf } from '../domain/chain-name.ts';
import { WalletError } from '../domain/failure.ts';
import { chosenWallet } from './chosen-wallet.ts';
import { codeOf, type FoundWallet, type Provider } from './eip1193.ts';
import { findWallet } from './find-wallets.ts';

const REFUSED = 4001;
const BUSY = -32002;
const CHAIN_UNKNOWN = 4902;

/** Says in the app's words what a wallet has answered. */
const explain = (error: unknown): never => {
  if (error instanceof WalletError) throw error;
  const code = codeOf(error);
  if (code === REFUSED) throw new WalletError('WALLET_REFUSED', 'wallet.refused', {}, error);
  if (code === BUSY) throw new WalletError('WALLET_BUSY', 'wallet.busy', {}, error);
  throw new WalletError(code === undefined ? 'WALLET_FAILED' : `WALLET_FAILED_${code}`, 'wallet.failed', {}, error);
};

const ask = async (provider: Provider, method: string, params: readonly unknown[] = []): Promise<unknown> => {
  try {
    return await provider.request({ method, params });
  } catch (error) {
    return explain(error);
  }
};

/** Wallets refuse typed data of another chain than the one that they are on. */
const switchChain = async (provider: Provider, chainId: number): Promise<void> => {
  const current = await ask(provider, 'eth_chainId');
  if (Number(current) === chainId) return;
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: toHex(chainId) }] });
  } catch (error) {
    if (codeOf(error) === CHAIN_UNKNOWN || codeOf(error) === REFUSED) {
      throw new WalletError('WALLET_ON_OTHER_CHAIN', 'wallet.chain', { chain: chainNameOf(chainId) }, error);
    }
    explain(error);
  }
};

const toSigner = (provider: Provider, address: Address): LocalAccount =>
  toAccount({
    address,
    signMessage: async ({ message }) => {
      const text = typeof message === 'string' ? toHex(message) : typeof message.raw === 'string' ? message.raw : toHex(message.raw);
      return (await ask(provider, 'personal_sign', [text, address])) as Hex;
    },
    signTypedData: async (given) => {
      const { domain, types, primaryType, message } = given as unknown as TypedDataDefinition;
      const chainId = domain?.chainId;
      if (chainId !== undefined) await switchChain(provider, Number(chainId));
      const data = { domain, types: { EIP712Domain: domainTypes(domain ?? {}), ...types }, primaryType, message };
      return (await ask(provider, 'eth_signTypedData_v4', [address, stringify(data)])) as Hex;
    },
    signTransaction: () => Promise.reject(new WalletError('WALLET_FAILED', 'wallet.failed')),
  });

const DOMAIN_TYPES = { name: 'string', version: 'string', chainId: 'uint256', verifyingContract: 'address', salt: 'bytes32' } as const;

/** The type of the domain, which `eth_signTypedData_v4` requires, with the fields that are used in the order of EIP-712. */
const domainTypes = (domain: object) =>
  Object.entries(DOMAIN_TYPES)
    .filter(([name]) => name in domain)
    .map(([name, type]) => ({ name, type }));

const isText = (value: unknown): value is string => typeof value === 'string';

/** Asks a wallet which account it uses. @throws WalletError */
export const connect = async ({ provider }: FoundWallet): Promise<LocalAccount> => {
  const accounts = await ask(provider, 'eth_requestAccounts');
  const first = Array.isArray(accounts) ? accounts.find(isText) : undefined;
  if (first === undefined) throw new WalletError('WALLET_WITHOUT_ACCOUNT', 'wallet.failed');
  return toSigner(provider, getAddress(first));
};

/** Asks a wallet for the account of an address. @throws WalletError also when it uses another one */
export const connectAs = async (found: FoundWallet, address: string): Promise<LocalAccount> => {
  const signer = await connect(found);
  if (signer.address.toLowerCase() === address.toLowerCase()) return signer;
  throw new WalletError('WALLET_OTHER_ACCOUNT', 'wallet.wrong', { address });
};

/** The node of the wallet that signed in, on a chain. @throws WalletError */
export const currentNode = async (chainId: number): Promise<Provider> => {
  const chosen = chosenWallet();
  const wallet = chosen === undefined ? undefined : await findWallet(chosen.rdns);
  if (wallet === undefined) throw new WalletError('WALLET_NOT_FOUND', 'wallet.none');
  await switchChain(wallet.provider, chainId);
  return wallet.provider;
};

/** The wallet that signed in, ready to sign. @throws WalletError when it is not there, or uses another account now */
export const currentSigner = async (): Promise<LocalAccount> => {
  const chosen = chosenWallet();
  const wallet = chosen === undefined ? undefined : await findWallet(chosen.rdns);
  if (chosen === undefined || wallet === undefined) throw new WalletError('WALLET_NOT_FOUND', 'wallet.none');
  const isThere = async (method: 'eth_accounts' | 'eth_requestAccounts'): Promise<boolean> => {
    const accounts = await ask(wallet.provider, method);
    return Array.isArray(accounts) && accounts.some((one) => isText(one) && one.toLowerCase() === chosen.address.toLowerCase());
  };
  // Only a wallet that no longer knows the page has to be asked.
  if (!(await isThere('eth_accounts')) && !(await isThere('eth_requestAccounts')))
    throw new WalletError('WALLET_OTHER_ACCOUNT', 'wallet.wrong', { address: chosen.address });
  return toSigner(wallet.provider, getAddress(chosen.address));
};
