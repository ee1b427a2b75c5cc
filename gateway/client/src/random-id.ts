/** 128 random bits in hexadecimal. Unlike `crypto.randomUUID` also in pages over http. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
