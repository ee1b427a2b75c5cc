import { createListeners } from '@florin/ui/page/listeners.ts';
import { useSyncExternalStore } from 'react';
import type { FoundWallet } from './eip1193.ts';

let found: readonly FoundWallet[] = [];
const { tell, subscribe } = createListeners();

const isWallet = (value: unknown): value is FoundWallet => {
  if (typeof value !== 'object' || value === null) return false;
  const { info, provider } = value as Partial<FoundWallet>;
  return typeof info?.rdns === 'string' && typeof info.name === 'string' && typeof provider?.request === 'function';
};

/** Asks the wallets of the browser to announce themselves, now and whenever one is added (EIP-6963). */
export const startDiscovery = (): void => {
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { detail } = event as CustomEvent<unknown>;
    if (!isWallet(detail) || found.some(({ info }) => info.rdns === detail.info.rdns)) return;
    found = [...found, detail];
    tell();
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
};

const foundWallets = (): readonly FoundWallet[] => found;
export const useWallets = (): readonly FoundWallet[] => useSyncExternalStore(subscribe, foundWallets);

/** How long a wallet may take to announce itself after the page was loaded. */
const PATIENCE_MS = 1500;

/** @returns undefined when no wallet of this name announces itself in time */
export const findWallet = (rdns: string): Promise<FoundWallet | undefined> => {
  const look = () => found.find(({ info }) => info.rdns === rdns);
  const here = look();
  if (here !== undefined) return Promise.resolve(here);
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      forget();
      resolve(look());
    };
    const check = () => {
      if (look() !== undefined) finish();
    };
    const timer = setTimeout(finish, PATIENCE_MS);
    const forget = subscribe(check);
  });
};
