import type { BrowserContext } from 'playwright-core';
import { type Hex, hexToString, isHex, numberToHex } from 'viem';
import { newWallet, type Wallet } from '../support/story.ts';

/** The chain of the accounts. */
const CHAIN_ID = 100;

/** Errors of EIP-1193 and EIP-1474. */
const REFUSED = { code: 4001, message: 'User rejected the request.' };
const UNSUPPORTED = { code: 4200, message: 'The provider does not support the method.' };
const INVALID_PARAMS = -32602;

/** A wallet that is announced to pages (EIP-6963) and signs in this process, as an extension would: its key never reaches a page. */
export type AnnouncedWallet = {
  wallet: Wallet;
  /** The methods that pages have called, in order. */
  asked: string[];
  /** Refuses the next request that a person would have to confirm. */
  refuseNext: () => void;
  /** Changes the chain that the wallet is set to; like most wallets, it signs no typed data of another one. */
  setChain: (chainId: number) => void;
  /** Announces it to all pages of a context, from now on. */
  announceTo: (context: BrowserContext) => Promise<void>;
};

/** Under which names wallets announce themselves. */
const KNOWN_AS = {
  first: { uuid: '6e1f4b0a-3c1f-4c55-9a52-6d8a25a5f6b1', name: 'Announced Wallet', rdns: 'example.announced' },
  second: { uuid: '0d6e3a7c-52b8-4f7e-8a43-8f6b1c2d9e10', name: 'Second Wallet', rdns: 'example.second' },
} as const;
type Which = keyof typeof KNOWN_AS;

/** Part of the page: an EIP-1193 provider, announced under a name. */
const providerOf = (which: Which) => `(() => {
  const listeners = new Map();
  const provider = {
    request: async ({ method, params = [] }) => {
      const { result, error, chainId } = await ask_${which}_wallet(method, params);
      if (chainId !== undefined) for (const listener of listeners.get('chainChanged') ?? []) listener(chainId);
      if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code });
      return result;
    },
    on: (name, listener) => void listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    removeListener: (name, listener) => void listeners.set(name, (listeners.get(name) ?? []).filter((other) => other !== listener)),
  };
  const info = Object.freeze({ ...${JSON.stringify(KNOWN_AS[which])},
    icon: 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 24 24%22%3E%3Ccircle cx=%2212%22 cy=%2212%22 r=%2212%22 fill=%22%235b6bd5%22/%3E%3C/svg%3E' });
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  addEventListener('eip6963:requestProvider', announce);
  announce();
})()`;

/** The typed data for wallets: the types of the domain among the others, numbers as text. */
type TypedData = Parameters<Wallet['signTypedData']>[0] & { domain: { chainId: number }; types: Record<string, readonly object[]> };

type Answer = { result?: unknown; error?: { code: number; message: string }; chainId?: string };

/** @param ask answers what a wallet's node answers */
export const createAnnouncedWallet = (
  wallet: Wallet = newWallet(),
  which: Which = 'first',
  ask?: (method: string, params: unknown[]) => Promise<unknown>,
): AnnouncedWallet => {
  const asked: string[] = [];
  let chainId = CHAIN_ID;
  let refuses = false;

  const sign = async (method: string, params: readonly string[]): Promise<Answer> => {
    if (method === 'personal_sign') {
      const [message = ''] = params;
      return { result: await wallet.signMessage({ message: isHex(message) ? hexToString(message as Hex) : message }) };
    }
    const typed = JSON.parse(params[1] ?? '') as TypedData;
    if (Number(typed.domain.chainId) !== chainId) {
      return { error: { code: INVALID_PARAMS, message: `The chain of the typed data must be the active one, ${chainId}.` } };
    }
    const { EIP712Domain: _, ...types } = typed.types;
    return { result: await wallet.signTypedData({ ...typed, types } as TypedData) };
  };

  const answer = async (method: string, params: readonly unknown[]): Promise<Answer> => {
    asked.push(method);
    if (method === 'eth_chainId') return { result: numberToHex(chainId) };
    if (method === 'eth_accounts') return { result: [wallet.address] };
    if ((method === 'eth_call' || method === 'eth_getCode') && ask !== undefined) return { result: await ask(method, [...params]) };
    if (refuses) {
      refuses = false;
      return { error: REFUSED };
    }
    if (method === 'eth_requestAccounts') return { result: [wallet.address] };
    if (method === 'wallet_switchEthereumChain') {
      chainId = Number((params as { chainId: string }[])[0]?.chainId);
      return { result: null, chainId: numberToHex(chainId) };
    }
    if (method === 'personal_sign' || method === 'eth_signTypedData_v4') return sign(method, params as string[]);
    return { error: UNSUPPORTED };
  };

  return {
    wallet,
    asked,
    refuseNext: () => {
      refuses = true;
    },
    setChain: (next) => {
      chainId = next;
    },
    announceTo: async (context) => {
      await context.exposeBinding(`ask_${which}_wallet`, (_source, method: string, params: unknown[]) => answer(method, params));
      await context.addInitScript(providerOf(which));
    },
  };
};
