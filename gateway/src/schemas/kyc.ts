import { KycStatus } from '@florin/proto/identity/v1/user';
import { z } from 'zod';

/** The states that an identity check can be moved to. */
export const KYC_MOVES = {
  [KycStatus.DOCUMENTS_REQUESTED]: 'documents_requested',
  [KycStatus.PENDING]: 'pending',
  [KycStatus.IN_REVIEW]: 'in_review',
  [KycStatus.APPROVED]: 'approved',
  [KycStatus.RESUBMISSION_REQUESTED]: 'resubmission_requested',
  [KycStatus.REJECTED]: 'rejected',
} as const;

export const KYC_STATUS = { [KycStatus.NOT_STARTED]: 'not_started', ...KYC_MOVES } as const;

export const kycStatus = z.enum(Object.values(KYC_STATUS)).meta({ description: 'Status of the identity check' });
export const kycMove = z.enum(Object.values(KYC_MOVES));
