import { AuthService } from '@florin/proto/identity/v1/auth_service';
import { ErasureService } from '@florin/proto/identity/v1/erasure_service';
import { KeyService } from '@florin/proto/identity/v1/key_service';
import { KycService } from '@florin/proto/identity/v1/kyc_service';
import { OnboardingService } from '@florin/proto/identity/v1/onboarding_service';
import { PartnerClientService } from '@florin/proto/identity/v1/partner_client_service';
import { SandboxService } from '@florin/proto/identity/v1/sandbox_service';
import { SessionService } from '@florin/proto/identity/v1/session_service';
import { SourceOfFundsService } from '@florin/proto/identity/v1/source_of_funds_service';
import { TermsService } from '@florin/proto/identity/v1/terms_service';
import { UserService } from '@florin/proto/identity/v1/user_service';
import { VerificationService } from '@florin/proto/identity/v1/verification_service';
import { WalletRecoveryService } from '@florin/proto/identity/v1/wallet_recovery_service';
import { WalletService } from '@florin/proto/identity/v1/wallet_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { acceptTerms } from './accept-terms.ts';
import { addWallet } from './add-wallet.ts';
import { approveWalletRecovery } from './approve-wallet-recovery.ts';
import { askContract } from './ask-contract.ts';
import { batchGetUsers } from './batch-get-users.ts';
import { completeCardApproval, createCardChallenge, useCardApproval } from './card-approvals.ts';
import { checkUserPartner } from './check-user-partner.ts';
import { countUsers } from './count-users.ts';
import { createKycSession } from './create-kyc-session.ts';
import { createSiweMessage } from './create-siwe-message.ts';
import { createWalletChallenge } from './create-wallet-challenge.ts';
import { createWalletRecovery } from './create-wallet-recovery.ts';
import type { Dependencies } from './dependencies.ts';
import { endAllSessions } from './end-all-sessions.ts';
import { endCurrentSession } from './end-current-session.ts';
import { endSession } from './end-session.ts';
import { eraseUser } from './erase-user.ts';
import { findUsers } from './find-users.ts';
import { getCurrentUser } from './get-current-user.ts';
import { getKyc } from './get-kyc.ts';
import { getOnboarding } from './get-onboarding.ts';
import { getRequirements } from './get-requirements.ts';
import { getSourceOfFunds } from './get-source-of-funds.ts';
import { getUser } from './get-user.ts';
import { getUserPartner } from './get-user-partner.ts';
import { getWalletRecovery } from './get-wallet-recovery.ts';
import { listOutboxMessages } from './list-outbox-messages.ts';
import { listSessions } from './list-sessions.ts';
import { listTerms } from './list-terms.ts';
import { listUserSessions } from './list-user-sessions.ts';
import { listUserTerms } from './list-user-terms.ts';
import { listWalletRecoveries } from './list-wallet-recoveries.ts';
import { makeWalletPrimary } from './make-wallet-primary.ts';
import { moveKyc } from './move-kyc.ts';
import { notifyCurrentUser } from './notify-current-user.ts';
import {
  admitPartner,
  createPartnerClient,
  createPartnerInvitation,
  getPartnerClient,
  listPartnerClients,
  redeemPartnerInvitation,
  revokePartnerClient,
} from './partner-clients.ts';
import { receiveEvent } from './receive-event.ts';
import { refreshSession } from './refresh-session.ts';
import { registerUser } from './register-user.ts';
import { rejectWalletRecovery } from './reject-wallet-recovery.ts';
import { removeWallet } from './remove-wallet.ts';
import { revokeSigningKey } from './revoke-signing-key.ts';
import { rotateSigningKey } from './rotate-signing-key.ts';
import { sendEmailCode } from './send-email-code.ts';
import { sendPhoneCode } from './send-phone-code.ts';
import { signIn } from './sign-in.ts';
import { submitSourceOfFunds } from './submit-source-of-funds.ts';
import { takeKycBack } from './take-kyc-back.ts';
import { verifyPhoneCode } from './verify-phone-code.ts';

/** The services of identity; SandboxService only in a sandbox. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  implement(AuthService, {
    createSiweMessage: createSiweMessage(dependencies),
    signIn: signIn(dependencies),
    refreshSession: refreshSession(dependencies),
  }),
  implement(SessionService, {
    endCurrentSession: endCurrentSession(dependencies),
    listSessions: listSessions(dependencies),
    listUserSessions: listUserSessions(dependencies),
    endSession: endSession(dependencies),
    endAllSessions: endAllSessions(dependencies),
  }),
  implement(KeyService, { rotateSigningKey: rotateSigningKey(dependencies), revokeSigningKey: revokeSigningKey(dependencies) }),
  implement(VerificationService, {
    sendEmailCode: sendEmailCode(dependencies),
    sendPhoneCode: sendPhoneCode(dependencies),
    verifyPhoneCode: verifyPhoneCode(dependencies),
  }),
  implement(UserService, {
    registerUser: registerUser(dependencies),
    getCurrentUser: getCurrentUser(dependencies),
    notifyCurrentUser: notifyCurrentUser(dependencies),
    getUser: getUser(dependencies),
    batchGetUsers: batchGetUsers(dependencies),
    countUsers: countUsers(dependencies),
    findUsers: findUsers(dependencies),
    getUserPartner: getUserPartner(dependencies),
    checkUserPartner: checkUserPartner(dependencies),
  }),
  implement(WalletService, {
    createWalletChallenge: createWalletChallenge(dependencies),
    addWallet: addWallet(dependencies),
    makeWalletPrimary: makeWalletPrimary(dependencies),
    removeWallet: removeWallet(dependencies),
    createCardChallenge: createCardChallenge(dependencies),
    useCardApproval: useCardApproval(dependencies),
    completeCardApproval: completeCardApproval(dependencies),
    askContract: askContract(dependencies),
  }),
  implement(WalletRecoveryService, {
    createWalletRecovery: createWalletRecovery(dependencies),
    approveWalletRecovery: approveWalletRecovery(dependencies),
    rejectWalletRecovery: rejectWalletRecovery(dependencies),
    getWalletRecovery: getWalletRecovery(dependencies),
    listWalletRecoveries: listWalletRecoveries(dependencies),
  }),
  implement(TermsService, {
    listTerms: listTerms(dependencies),
    listUserTerms: listUserTerms(dependencies),
    acceptTerms: acceptTerms(dependencies),
  }),
  implement(SourceOfFundsService, {
    getSourceOfFunds: getSourceOfFunds(dependencies),
    submitSourceOfFunds: submitSourceOfFunds(dependencies),
  }),
  implement(KycService, {
    getKyc: getKyc(dependencies),
    createKycSession: createKycSession(dependencies),
    takeKycBack: takeKycBack(dependencies),
    receiveEvent: receiveEvent(dependencies),
  }),
  implement(PartnerClientService, {
    createPartnerInvitation: createPartnerInvitation(dependencies),
    redeemPartnerInvitation: redeemPartnerInvitation(dependencies),
    createPartnerClient: createPartnerClient(dependencies),
    listPartnerClients: listPartnerClients(dependencies),
    revokePartnerClient: revokePartnerClient(dependencies),
    getPartnerClient: getPartnerClient(dependencies),
  }),
  implement(ErasureService, { eraseUser: eraseUser(dependencies) }),
  dependencies.personalData,
  implement(OnboardingService, { getOnboarding: getOnboarding(dependencies), getRequirements: getRequirements(dependencies) }),
  ...(dependencies.sandbox
    ? [
        implement(SandboxService, {
          listOutboxMessages: listOutboxMessages(dependencies),
          moveKyc: moveKyc(dependencies),
          admitPartner: admitPartner(dependencies),
        }),
      ]
    : []),
];
