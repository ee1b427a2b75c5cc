import type { GetAssetsRequest } from '@florin/proto/ledger/v1/balance_service';
import { publicMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Returns what new accounts can hold, and on which chain. */
export const getAssets = ({ assets, accountsNeedSafe }: Pick<Dependencies, 'assets' | 'accountsNeedSafe'>) => {
  const { chainId, nativeCurrency, additionalCurrencies } = assets.accounts;
  const currencies = [nativeCurrency, ...additionalCurrencies];
  const tokens = assets.tokens
    .filter((token) => token.chainId === chainId && currencies.includes(token.currency))
    .map(({ symbol, decimals, currency, address = '' }) => ({ symbol, decimals, currency, contract: address }));
  const chainName = assets.chains.find(({ id }) => id === chainId)?.name ?? '';
  return publicMethod((_request: GetAssetsRequest) => ({ chainId, chainName, currencies, tokens, safeRequired: accountsNeedSafe }));
};
