/** Everyone who may call a service: the platform's own processes, and the operator at the command line. */
export const CLIENTS = ['gateway', 'identity', 'card', 'ledger', 'threeds', 'operator'] as const;
export type Client = (typeof CLIENTS)[number];

const PROCESS_SCOPES = {
  gateway: [
    'identity.signin',
    'identity.kyc.write',
    'ledger.deposits.write',
    'ledger.withdrawals.write',
    'threeds.challenges.write',
    'identity.outbox.read',
  ],
  identity: ['ledger.accounts.write', 'ledger.accounts.read'],
  card: ['ledger.accounts.read', 'identity.phone.verify'],
  ledger: [],
  threeds: ['card.cards.read', 'identity.users.read', 'ledger.accounts.read'],
} as const satisfies Record<Exclude<Client, 'operator'>, readonly string[]>;

/**
 * What each client may ask of the services; what is not listed is denied. Every service refuses a token whose scopes go
 * beyond its client's row. The operator stands for the back office, the processor and the access control server, which
 * are outside systems in production and somebody with grpcurl on one machine.
 */
export const CLIENT_SCOPES: Readonly<Record<Client, readonly string[]>> = {
  ...PROCESS_SCOPES,
  operator: [
    ...new Set([
      ...Object.values(PROCESS_SCOPES).flat(),
      'identity.keys.rotate',
      'ledger.entries.read',
      'ledger.entries.write',
      'ledger.journal.read',
      'threeds.challenges.read',
    ]),
  ].sort(),
};
