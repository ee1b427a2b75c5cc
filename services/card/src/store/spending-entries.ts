import type { SpendingEntry } from '../domain/spending.ts';

/** An entry without reservations, which never grow old enough to be packed. */
type SettledEntry = SpendingEntry & { reservations: readonly [] };

const ID_BYTES = 16;
const TIME_BYTES = 6;
/** Id, time, flags, revision, length of the amount. */
const HEAD_BYTES = ID_BYTES + TIME_BYTES + 1 + 4 + 1;
/** Flags. */
const [ATM, INCREASE] = [1, 2];

const NONE = [] as const;

/** Entries are immutable, and a document has those of the revision before with few others: each is packed once. */
const packed = new WeakMap<SpendingEntry, Buffer>();

const pack = (entry: SpendingEntry): Buffer => {
  const known = packed.get(entry);
  if (known !== undefined) return known;
  const amount = entry.amount.toString();
  const bytes = Buffer.alloc(HEAD_BYTES + amount.length);
  bytes.write(entry.paymentId.replaceAll('-', ''), 'hex');
  let at = bytes.writeUIntBE(entry.at.getTime(), ID_BYTES, TIME_BYTES);
  at = bytes.writeUInt8((entry.atm ? ATM : 0) | (entry.increase === true ? INCREASE : 0), at);
  at = bytes.writeUInt32BE(entry.revision, at);
  at = bytes.writeUInt8(amount.length, at);
  bytes.write(amount, at, 'latin1');
  packed.set(entry, bytes);
  return bytes;
};

const uuidOf = (hex: string): string => `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/**
 * Packs entries without reservations, about 30 bytes each: a card has an entry for every request of the current week and month that is approved, and each authorization
 * writes them all.
 */
export const packEntries = (entries: readonly SpendingEntry[]): Buffer => Buffer.concat(entries.map(pack));

/** @throws RangeError when the bytes are not packed entries */
export const unpackEntries = (bytes: Buffer): SettledEntry[] => {
  const entries: SettledEntry[] = [];
  // Two texts in all: a text for each field of each entry takes several times as long.
  const [hex, text] = [bytes.toString('hex'), bytes.toString('latin1')];
  for (let start = 0; start < bytes.length; ) {
    const time = start + ID_BYTES;
    const flagsAt = time + TIME_BYTES;
    const flags = bytes.readUInt8(flagsAt);
    const end = start + HEAD_BYTES + bytes.readUInt8(start + HEAD_BYTES - 1);
    if (end > bytes.length) throw new RangeError('a packed entry is incomplete');
    entries.push({
      paymentId: uuidOf(hex.slice(2 * start, 2 * time)),
      at: new Date(bytes.readUIntBE(time, TIME_BYTES)),
      atm: (flags & ATM) !== 0,
      ...((flags & INCREASE) === 0 ? {} : { increase: true }),
      revision: bytes.readUInt32BE(flagsAt + 1),
      amount: BigInt(text.slice(start + HEAD_BYTES, end)),
      reservations: NONE,
    });
    start = end;
  }
  return entries;
};
