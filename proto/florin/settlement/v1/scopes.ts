/** Scopes that settlement's RPCs require of a service token. */
export const SETTLEMENT_SCOPES = {
  /** Reports records of processors and banks, and corrections. */
  writeRecords: 'settlement.records.write',
  closeDays: 'settlement.days.close',
  readBooks: 'settlement.books.read',
} as const;
