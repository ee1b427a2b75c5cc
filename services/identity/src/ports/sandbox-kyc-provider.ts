import { createHash } from 'node:crypto';
import { type Runtime, uuidV8 } from '@florin/rpc/runtime';
import type { KycProvider } from './kyc-provider.ts';

/** A share token that the sandbox provider refuses, so that the refusal can be tried. */
const REFUSED_SHARE_TOKEN = 'fail';

const SESSION_LIFE_MS = 60 * 60 * 1000;
const TOKEN_BYTES = 16;

/** Stands for the provider in a sandbox: every user gets a profile, always the same one, and a page that nobody serves. */
export const createSandboxKycProvider = (runtime: Pick<Runtime, 'now' | 'randomBytes'>): KycProvider => ({
  createProfile: async ({ userId, shareToken }) => {
    if (shareToken === REFUSED_SHARE_TOKEN) throw new Error('the sandbox provider refuses this share token');
    return uuidV8(createHash('sha256').update(`florin-sandbox-kyc:${userId}`).digest());
  },
  createSession: async () => ({
    url: `https://kyc.florin.example/sessions/${Buffer.from(runtime.randomBytes(TOKEN_BYTES)).toString('base64url')}`,
    expiresAt: new Date(runtime.now().getTime() + SESSION_LIFE_MS),
  }),
});
