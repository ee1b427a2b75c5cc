import { DEFAULT_ASSETS, type Token } from '@florin/rpc/assets';

/**
 * `ASSETS` of a platform on a local chain, where EURe alone has a contract: of a token without one, nothing is watched.
 * @param eure what differs from the usual EURe
 */
export const assetsWithEure = (eure: { address: string } & Partial<Token>): string =>
  JSON.stringify({
    ...DEFAULT_ASSETS,
    tokens: DEFAULT_ASSETS.tokens.map(({ address: _address, ...token }) => (token.symbol === 'EURe' ? { ...token, ...eure } : token)),
  });
