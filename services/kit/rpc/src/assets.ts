import { z } from 'zod';
import { CodedError } from './errors/index.ts';

const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code');
const chainId = z.number().int().min(1).max(0xffff_ffff);

/** Digits after the decimal point. Nothing real has more than 36, and powers of ten stay cheap. */
const decimals = z.number().int().min(0).max(36);

/** Contract whose Transfer events count, in lower case. Where a token has an old and a new contract over one balance, only one of them may count. */
const contractAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an EVM address')
  .transform((text) => text.toLowerCase());

const shape = z.object({
  chains: z.array(z.object({ id: chainId, name: z.string().min(1).max(64) })).min(1),
  currencies: z.array(z.object({ code: currencyCode, decimals })).min(1),
  tokens: z.array(
    z.object({
      // A symbol is part of ledger account names, in which a slash separates.
      symbol: z.string().regex(/^[A-Za-z0-9.]{1,16}$/),
      decimals,
      currency: currencyCode,
      chainId,
      // Without an address, the chain watcher does not watch the token.
      address: contractAddress.optional(),
    }),
  ),
  /** Where new accounts live, and in which currencies. */
  accounts: z.object({ chainId, nativeCurrency: currencyCode, additionalCurrencies: z.array(currencyCode) }),
});

/** Chains, currencies and tokens that the platform knows. Configuration, never code. */
export type Assets = z.output<typeof shape>;
export type Token = Assets['tokens'][number];
export type Currency = Assets['currencies'][number];

const duplicated = (values: readonly (string | number)[]) => values.find((value, index) => values.indexOf(value) !== index);

const problemOf = (assets: Assets): string | undefined => {
  const chains = assets.chains.map(({ id }) => id);
  const currencies = assets.currencies.map(({ code }) => code);
  const { accounts } = assets;
  const accountCurrencies = [accounts.nativeCurrency, ...accounts.additionalCurrencies];
  const contracts = assets.tokens.flatMap(({ chainId: chain, address }) => (address === undefined ? [] : [`${chain}:${address}`]));
  // A symbol names one token: balances are kept by symbol. A contract is one token: its transfers count once.
  const twice =
    duplicated(chains) ?? duplicated(currencies) ?? duplicated(assets.tokens.map(({ symbol }) => symbol)) ?? duplicated(contracts);
  if (twice !== undefined) return `${twice} is there twice`;
  if (duplicated(accountCurrencies) !== undefined) return `${duplicated(accountCurrencies)} is there twice among the accounts' currencies`;
  const chain = [accounts.chainId, ...assets.tokens.map((token) => token.chainId)].find((id) => !chains.includes(id));
  if (chain !== undefined) return `chain ${chain} is not described`;
  const currency = [...accountCurrencies, ...assets.tokens.map((token) => token.currency)].find((code) => !currencies.includes(code));
  return currency === undefined ? undefined : `currency ${currency} is not described`;
};

/** Validates a description of assets, references between its parts included. */
export const assetsSchema = shape.superRefine((assets, context) => {
  const message = problemOf(assets);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** Gnosis Chain with the euro and pound tokens of Monerium (their V2 contracts; V1 emits for the same balances) and bridged USDC. */
export const DEFAULT_ASSETS: Assets = {
  chains: [{ id: 100, name: 'Gnosis' }],
  currencies: [
    { code: 'EUR', decimals: 2 },
    { code: 'GBP', decimals: 2 },
    { code: 'USD', decimals: 2 },
  ],
  tokens: [
    { symbol: 'EURe', decimals: 18, currency: 'EUR', chainId: 100, address: '0x420ca0f9b9b604ce0fd9c18ef134c705e5fa3430' },
    { symbol: 'GBPe', decimals: 18, currency: 'GBP', chainId: 100, address: '0x8e34bfec4f6eb781f9743d9b4af99cd23f9b7053' },
    { symbol: 'USDC.e', decimals: 6, currency: 'USD', chainId: 100, address: '0x2a22f9c3b484c3629090feed35f17ff8f88f76f0' },
  ],
  accounts: { chainId: 100, nativeCurrency: 'EUR', additionalCurrencies: ['GBP', 'USD'] },
};

/** The token of that symbol, on that chain when one is named. */
export const findToken = (assets: Assets, symbol: string, onChain?: number): Token | undefined =>
  assets.tokens.find((token) => token.symbol === symbol && (onChain === undefined || token.chainId === onChain));

/** The error names the tokens that are supported. */
export const tokenNotSupported = (symbols: readonly string[]): CodedError =>
  new CodedError('TOKEN_NOT_SUPPORTED', { metadata: { reason: `known: ${symbols.join(', ') || 'none'}` } });

/** @throws CodedError TOKEN_NOT_SUPPORTED unless there is such a token, on that chain when one is named */
export const requireToken = (assets: Assets, symbol: string, onChain?: number): Token => {
  const token = findToken(assets, symbol, onChain);
  if (token !== undefined) return token;
  throw tokenNotSupported(assets.tokens.flatMap((one) => (onChain === undefined || one.chainId === onChain ? [one.symbol] : [])));
};

/** One minor unit of a token's currency in the token's smallest unit; zero for an unknown token. */
export const minorUnitOf = (assets: Assets, symbol: string): bigint => {
  const token = findToken(assets, symbol);
  const currency = assets.currencies.find(({ code }) => code === token?.currency);
  return token === undefined || currency === undefined ? 0n : 10n ** BigInt(token.decimals - currency.decimals);
};
