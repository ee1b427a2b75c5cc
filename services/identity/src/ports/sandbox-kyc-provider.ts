import { derivedId, type Runtime } from '@florin/rpc/runtime';
import type { KycProvider } from './kyc-provider.ts';

/** Share token that the sandbox provider rejects, so that the failure can be tried. */
const REJECTED_SHARE_TOKEN = 'fail';

const SESSION_LIFE_MS = 60 * 60 * 1000;
const TOKEN_BYTES = 16;

/** KYC provider of a sandbox: every user gets the same profile each time, and the URL of a page that does not exist. */
export const createSandboxKycProvider = (runtime: Pick<Runtime, 'now' | 'randomBytes'>): KycProvider => ({
  createProfile: async ({ userId, shareToken }) => {
    if (shareToken === REJECTED_SHARE_TOKEN) throw new Error('the sandbox provider rejects this share token');
    return derivedId(`florin-sandbox-kyc:${userId}`);
  },
  createSession: async () => ({
    url: `https://kyc.florin.example/sessions/${Buffer.from(runtime.randomBytes(TOKEN_BYTES)).toString('base64url')}`,
    expiresAt: new Date(runtime.now().getTime() + SESSION_LIFE_MS),
  }),
});
