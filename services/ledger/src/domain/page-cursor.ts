/** A place in a list as an opaque text: where in the journal the last row of the page stands. */
export const encodeCursor = (position: number): string => Buffer.from(position.toString(36)).toString('base64url');

/** Undefined unless the text is exactly what `encodeCursor` makes. */
export const decodeCursor = (cursor: string): number | undefined => {
  const position = Number.parseInt(Buffer.from(cursor, 'base64url').toString('latin1'), 36);
  return Number.isSafeInteger(position) && position >= 0 && encodeCursor(position) === cursor ? position : undefined;
};
