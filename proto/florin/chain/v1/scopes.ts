/** Scopes that chain's RPCs require of a service token. */
export const CHAIN_SCOPES = {
  readWatches: 'chain.watches.read',
  readExceptions: 'chain.exceptions.read',
  writeExceptions: 'chain.exceptions.write',
} as const;
