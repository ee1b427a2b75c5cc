/** The parts of a ledger account's name: its owner and the bucket. System accounts have neither. */
export type LedgerAccountName = { owner: string; bucket?: string } | { system: string };

const OWNED = /^([0-9a-f]{8}-[0-9a-f-]{27})(?:\/(\w+))?$/;

/** Reads the name of a ledger account: `<account id>/<bucket>`, an account's id alone, or the name of a system account. */
export const readLedgerAccount = (name: string): LedgerAccountName => {
  const [, owner, bucket] = OWNED.exec(name) ?? [];
  if (owner === undefined) return { system: name };
  return bucket === undefined ? { owner } : { owner, bucket };
};
