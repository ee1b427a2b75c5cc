/** Scopes that ledger's RPCs require of a service token. */
export const LEDGER_SCOPES = {
  readAccounts: 'ledger.accounts.read',
  writeAccounts: 'ledger.accounts.write',
  confirmSafes: 'ledger.accounts.confirm',
  /** Stops and resumes the spending of all tokens of a chain. */
  haltChains: 'ledger.chains.halt',
  readBalances: 'ledger.balances.read',
  readDeposits: 'ledger.deposits.read',
  writeDeposits: 'ledger.deposits.write',
  /** Ends the screening of a deposit, and records none. */
  resolveDeposits: 'ledger.deposits.resolve',
  reverseDeposits: 'ledger.deposits.reverse',
  readWithdrawals: 'ledger.withdrawals.read',
  writeWithdrawals: 'ledger.withdrawals.write',
  readEntries: 'ledger.entries.read',
  writeEntries: 'ledger.entries.write',
  /** System accounts that are not open, and entries between system accounts; besides writeEntries. */
  systemEntries: 'ledger.entries.system',
  /** Snapshots of all balances, and signatures under proofs of reserves. */
  signReserves: 'ledger.reserves.sign',
  readAdjustments: 'ledger.adjustments.read',
  writeAdjustments: 'ledger.adjustments.write',
  approveAdjustments: 'ledger.adjustments.approve',
  /** Of a partner's client: reads the balances, deposits and withdrawals of the partner's users. */
  readPartnerMovements: 'movements.read',
} as const;
