/** Scopes that settlement's RPCs require of a service token. */
export const SETTLEMENT_SCOPES = {
  /** Reports records of which the caller is the source: clearings, and of other kinds those for which it has their scope as well. */
  writeRecords: 'settlement.records.write',
  writeBank: 'settlement.bank.write',
  writeCollections: 'settlement.collections.write',
  writeCorrections: 'settlement.corrections.write',
  closeDays: 'settlement.days.close',
  readBooks: 'settlement.books.read',
} as const;
