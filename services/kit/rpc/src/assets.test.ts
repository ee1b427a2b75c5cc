import { describe, expect, it } from 'vitest';
import { assetsSchema, DEFAULT_ASSETS, findToken, requireToken } from './assets.ts';

const [token] = DEFAULT_ASSETS.tokens;
const { accounts } = DEFAULT_ASSETS;

describe('a description of assets', () => {
  it('accepts the default assets', () => {
    expect(assetsSchema.parse(DEFAULT_ASSETS)).toEqual(DEFAULT_ASSETS);
  });

  it.each<[string, object]>([
    ['a token twice', { tokens: [token, token] }],
    ['a token of an unknown currency', { tokens: [{ ...token, currency: 'CHF' }] }],
    ['a token on an unknown chain', { tokens: [{ ...token, chainId: 1 }] }],
    ['a symbol with a slash', { tokens: [{ ...token, symbol: 'a/b' }] }],
    ['negative decimals', { tokens: [{ ...token, decimals: -1 }] }],
    ['accounts on an unknown chain', { accounts: { ...accounts, chainId: 1 } }],
    ['an unknown native currency', { accounts: { ...accounts, nativeCurrency: 'CHF' } }],
    ['a currency twice', { accounts: { ...accounts, additionalCurrencies: ['EUR'] } }],
    ['no chain', { chains: [] }],
    ['a contract twice', { tokens: [token, { ...token, symbol: 'EURv1', address: '0x420CA0f9B9b604cE0fd9C18EF134C705e5Fa3430' }] }],
    ['a truncated contract address', { tokens: [{ ...token, address: '0x420' }] }],
  ])('rejects %s', (_name, change) => {
    expect(assetsSchema.safeParse({ ...DEFAULT_ASSETS, ...change }).success).toBe(false);
  });

  it('finds tokens by symbol and chain', () => {
    expect(findToken(DEFAULT_ASSETS, 'EURe', 100)?.decimals).toBe(18);
    expect(findToken(DEFAULT_ASSETS, 'EURe', 1)).toBeUndefined();
    expect(findToken(DEFAULT_ASSETS, 'eure')).toBeUndefined();
  });

  it('names the tokens that are supported, on the chain that was asked for', () => {
    const reasonOf = (symbol: string, onChain?: number): unknown => {
      try {
        return requireToken(DEFAULT_ASSETS, symbol, onChain).symbol;
      } catch (error) {
        return error;
      }
    };
    expect(reasonOf('EURe')).toBe('EURe');
    expect(reasonOf('DOGE')).toMatchObject({ code: 'TOKEN_NOT_SUPPORTED', metadata: { reason: 'known: EURe, GBPe, USDC.e' } });
    expect(reasonOf('EURe', 1)).toMatchObject({ code: 'TOKEN_NOT_SUPPORTED', metadata: { reason: 'known: none' } });
  });
});
