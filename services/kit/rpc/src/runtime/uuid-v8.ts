/**
 * A UUID v8 (RFC 9562, section 5.8) out of the first 16 bytes of a hash: 122 bits, so that everyone who knows what was hashed
 * finds the same id.
 */
export const uuidV8 = (hash: Uint8Array): string => {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
