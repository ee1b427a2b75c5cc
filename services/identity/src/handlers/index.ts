import { ErasureService } from '@florin/proto/identity/v1/erasure_service';
import { PartnerClientService } from '@florin/proto/identity/v1/partner_client_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { authService } from './auth-service.ts';
import type { Dependencies } from './dependencies.ts';
import { eraseUser } from './erase-user.ts';
import { keyService } from './key-service.ts';
import { kycService } from './kyc-service.ts';
import { onboardingService } from './onboarding-service.ts';
import {
  createPartnerClient,
  createPartnerInvitation,
  getPartnerClient,
  listPartnerClients,
  listPartners,
  redeemPartnerInvitation,
  revokePartnerClient,
} from './partner-clients.ts';
import { sandboxService } from './sandbox-service.ts';
import { sessionService } from './session-service.ts';
import { sourceOfFundsService } from './source-of-funds-service.ts';
import { termsService } from './terms-service.ts';
import { userService } from './user-service.ts';
import { verificationService } from './verification-service.ts';
import { walletRecoveryService } from './wallet-recovery-service.ts';
import { walletService } from './wallet-service.ts';

/** The services of identity; SandboxService only in a sandbox. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  authService(dependencies),
  sessionService(dependencies),
  keyService(dependencies),
  verificationService(dependencies),
  userService(dependencies),
  walletService(dependencies),
  walletRecoveryService(dependencies),
  termsService(dependencies),
  sourceOfFundsService(dependencies),
  kycService(dependencies),
  implement(PartnerClientService, {
    createPartnerInvitation: createPartnerInvitation(dependencies),
    redeemPartnerInvitation: redeemPartnerInvitation(dependencies),
    createPartnerClient: createPartnerClient(dependencies),
    listPartnerClients: listPartnerClients(dependencies),
    listPartners: listPartners(dependencies),
    revokePartnerClient: revokePartnerClient(dependencies),
    getPartnerClient: getPartnerClient(dependencies),
  }),
  implement(ErasureService, { eraseUser: eraseUser(dependencies) }),
  dependencies.personalData,
  onboardingService(dependencies),
  ...(dependencies.sandbox ? [sandboxService(dependencies)] : []),
];
