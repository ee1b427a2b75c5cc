/** Scopes that chain's RPCs require of a service token. */
export const CHAIN_SCOPES = {
  readWatches: 'chain.watches.read',
  writeWatches: 'chain.watches.write',
  readExceptions: 'chain.exceptions.read',
  writeExceptions: 'chain.exceptions.write',
  readBalances: 'chain.balances.read',
} as const;
