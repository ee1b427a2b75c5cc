/** Two hashes of 32 bits of a text (FNV-1a with different factors, each mixed once more as in MurmurHash3). Part of the stored layout. */
const hashes = (text: string): [number, number] => {
  let one = 0x811c9dc5;
  let two = 0x9747b28c;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ unit, 0x5bd1e995);
    two ^= two >>> 15;
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b);
  one = Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  two = Math.imul(two ^ (two >>> 16), 0x85ebca6b);
  two = Math.imul(two ^ (two >>> 13), 0xc2b2ae35);
  return [(one ^ (one >>> 16)) >>> 0, (two ^ (two >>> 16)) >>> 0];
};

/** Bits of an entry's key. */
export const ENTRY_KEY_BITS = 45;

/** Key of an entry's id: 45 bits of a hash. Two ids may share one. */
export const entryKey = (id: string): number => {
  const [one, two] = hashes(id);
  return (one >>> 19) * 2 ** 32 + two;
};

/** Key of an account's id, 53 bits of a hash, by which the rows of a run are sorted. Two accounts may share one. */
export const accountKey = (accountId: string): number => {
  const [one, two] = hashes(accountId);
  return one * 2 ** 21 + (two >>> 11);
};

/** Both hashes of an account and a token, for filters. */
export const touchHashes = (accountId: string, token: string): [number, number] => hashes(`${accountId}/${token}`);
