import type { Runtime } from '@florin/rpc/runtime';
import type { Connection } from 'mongoose';
import { createEmailClaimStore, createWalletClaimStore } from './claims.ts';
import { createFundsAnswerStore } from './funds-answers.ts';
import { createKycStandingStore } from './kyc-standings.ts';
import { createNoticeStore } from './notices.ts';
import { createOnboardingMarkStore } from './onboarding-marks.ts';
import { createRegistrationStore } from './registrations.ts';
import { createSessionStore } from './sessions.ts';
import { createSigningKeyStore } from './signing-keys.ts';
import { createTermAcceptanceStore } from './term-acceptances.ts';
import { createUserStore } from './users.ts';
import { createWalletRecoveryStore } from './wallet-recoveries.ts';

/** Opens every store of the service on one connection. */
export const openStores = (connection: Connection, runtime: Pick<Runtime, 'newId'>) => {
  const users = createUserStore(connection);
  return {
    users,
    notices: createNoticeStore(users.model),
    walletRecoveries: createWalletRecoveryStore(connection),
    kycStandings: createKycStandingStore(users.model),
    emailClaims: createEmailClaimStore(connection, runtime),
    walletClaims: createWalletClaimStore(connection, runtime),
    registrations: createRegistrationStore(connection),
    sessions: createSessionStore(connection),
    signingKeys: createSigningKeyStore(connection),
    acceptances: createTermAcceptanceStore(connection),
    fundsAnswers: createFundsAnswerStore(connection),
    marks: createOnboardingMarkStore(connection),
  };
};

export type Stores = ReturnType<typeof openStores>;
