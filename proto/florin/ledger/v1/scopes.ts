/** Scopes that ledger's RPCs require of a service token. */
export const LEDGER_SCOPES = {
  readAccounts: 'ledger.accounts.read',
  writeAccounts: 'ledger.accounts.write',
  writeDeposits: 'ledger.deposits.write',
  writeWithdrawals: 'ledger.withdrawals.write',
  readEntries: 'ledger.entries.read',
  writeEntries: 'ledger.entries.write',
  readJournal: 'ledger.journal.read',
} as const;
