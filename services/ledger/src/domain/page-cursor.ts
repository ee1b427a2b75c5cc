/** A place in a list as an opaque text: where in the journal the last row of the page stands. */
export const encodeCursor = (position: number): string => Buffer.from(position.toString(36)).toString('base64url');

/** Undefined unless the text is exactly what `encodeCursor` makes. */
export const decodeCursor = (cursor: string): number | undefined => {
  const position = Number.parseInt(Buffer.from(cursor, 'base64url').toString('latin1'), 36);
  return Number.isSafeInteger(position) && position >= 0 && encodeCursor(position) === cursor ? position : undefined;
};

/** An entry of an account, by which a later call recognizes it in the same journal: one that was restored writes another block, later, at the same position. */
export type EntryPlace = { position: number; at: Date };

/** A place as an opaque text. */
export const encodePlace = ({ position, at }: EntryPlace): string =>
  Buffer.from(`${position.toString(36)}.${at.getTime().toString(36)}`).toString('base64url');

/** Undefined unless the text is exactly what `encodePlace` makes. */
export const decodePlace = (text: string): EntryPlace | undefined => {
  const [position, time] = Buffer.from(text, 'base64url')
    .toString('latin1')
    .split('.', 2)
    .map((part) => Number.parseInt(part, 36));
  if (position === undefined || time === undefined || !Number.isSafeInteger(position) || !Number.isSafeInteger(time)) return undefined;
  const place = { position, at: new Date(time) };
  return encodePlace(place) === text ? place : undefined;
};
