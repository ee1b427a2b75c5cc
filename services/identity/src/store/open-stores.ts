import type { EncryptedFields, FieldCipher } from '@florin/data/encryption';
import type { Runtime } from '@florin/rpc/runtime';
import type { Connection } from 'mongoose';
import { createEmailClaimStore, createWalletClaimStore } from './claims.ts';
import { createCodeStore } from './codes.ts';
import { createErasureStore } from './erasures.ts';
import { createFundsAnswerStore } from './funds-answers.ts';
import { createKycStandingStore } from './kyc-standings.ts';
import { createLimitWindowStore } from './limit-windows.ts';
import { createNoticeStore } from './notices.ts';
import { createOnboardingMarkStore } from './onboarding-marks.ts';
import { createPartnerClientStore } from './partner-clients.ts';
import { createRegistrationStore } from './registrations.ts';
import { createSessionStore } from './sessions.ts';
import { createSigningKeyStore } from './signing-keys.ts';
import { createTermAcceptanceStore } from './term-acceptances.ts';
import { createUsedMessageStore } from './used-messages.ts';
import { createUserStore } from './users.ts';
import { createWalletApprovalStore } from './wallet-approvals.ts';
import { createWalletEpochStore } from './wallet-epochs.ts';
import { createWalletRecoveryStore } from './wallet-recoveries.ts';

/** Opens every store of the service on one connection. @param cipher encrypts the personal data in them */
export const openStores = (connection: Connection, runtime: Pick<Runtime, 'newId'>, cipher: FieldCipher) => {
  const users = createUserStore(connection, cipher);
  return {
    users,
    notices: createNoticeStore(users.model),
    walletRecoveries: createWalletRecoveryStore(connection),
    kycStandings: createKycStandingStore(users.model),
    emailClaims: createEmailClaimStore(connection, runtime, cipher),
    walletClaims: createWalletClaimStore(connection, runtime),
    registrations: createRegistrationStore(connection, cipher),
    sessions: createSessionStore(connection, cipher),
    usedMessages: createUsedMessageStore(connection),
    walletApprovals: createWalletApprovalStore(connection),
    codeStore: createCodeStore(connection),
    limitWindows: createLimitWindowStore(connection),
    walletEpochs: createWalletEpochStore(connection),
    signingKeys: createSigningKeyStore(connection),
    acceptances: createTermAcceptanceStore(connection, cipher),
    fundsAnswers: createFundsAnswerStore(connection),
    erasures: createErasureStore(connection),
    marks: createOnboardingMarkStore(connection),
    partnerClientStore: createPartnerClientStore(connection),
  };
};

export type Stores = ReturnType<typeof openStores>;

/** The encrypted fields of the stores. */
export const ENCRYPTED_FIELDS: EncryptedFields = {
  users: ['email'],
  registrations: ['email'],
  sessions: ['ip'],
  term_acceptances: ['ip'],
};
