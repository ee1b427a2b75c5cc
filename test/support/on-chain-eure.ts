import { DEFAULT_ASSETS, type Token } from '@florin/rpc/assets';
import type { Environment } from '@florin/rpc/config';

/**
 * The environment of a platform on a local chain, where EURe alone has a contract: of a token without one, nothing is watched.
 * @param eure what differs from the usual EURe
 */
export const onChainEure = ({ decimals = 18, ...eure }: { address: string } & Partial<Token>): Environment => ({
  ASSETS: JSON.stringify({
    ...DEFAULT_ASSETS,
    tokens: DEFAULT_ASSETS.tokens.map(({ address: _address, ...token }) =>
      token.symbol === 'EURe' ? { ...token, ...eure, decimals } : token,
    ),
  }),
  CARD_PROGRAM: JSON.stringify({ tokenDecimals: decimals }),
});
