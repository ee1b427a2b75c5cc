/**
 * Derives a UUID v8 (RFC 9562, section 5.8) from the first 16 bytes of a hash, of which it keeps 122 bits. The same hash always gives
 * the same id.
 * @param hash at least 16 bytes
 */
export const uuidV8 = (hash: Uint8Array): string => {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
