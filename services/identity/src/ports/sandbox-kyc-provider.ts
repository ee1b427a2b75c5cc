import { createHash } from 'node:crypto';
import { uuidV8 } from '@florin/kit/runtime';
import type { KycProvider } from './kyc-provider.ts';

/** A share token that the sandbox provider refuses, so that the refusal can be tried. */
const REFUSED_SHARE_TOKEN = 'fail';

/** Stands for the provider in a sandbox: every user gets a profile, always the same one. */
export const createSandboxKycProvider = (): KycProvider => ({
  createProfile: async ({ userId, shareToken }) => {
    if (shareToken === REFUSED_SHARE_TOKEN) throw new Error('the sandbox provider refuses this share token');
    return uuidV8(createHash('sha256').update(`florin-sandbox-kyc:${userId}`).digest());
  },
});
