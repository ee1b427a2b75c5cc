import { createHash } from 'node:crypto';
import type { KycProvider } from './kyc-provider.ts';

/** A share token that the sandbox provider refuses, so that the refusal can be tried. */
export const REFUSED_SHARE_TOKEN = 'fail';

/** A UUID v8 (RFC 9562, section 5.8) made of the hash of a name: the same name, the same id. */
const nameToUuid = (name: string): string => {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** Stands for the provider in a sandbox: every user gets a profile, always the same one. */
export const createSandboxKycProvider = (): KycProvider => ({
  createProfile: async ({ userId, shareToken }) => {
    if (shareToken === REFUSED_SHARE_TOKEN) throw new Error('the sandbox provider refuses this share token');
    return nameToUuid(`florin-sandbox-kyc:${userId}`);
  },
});
