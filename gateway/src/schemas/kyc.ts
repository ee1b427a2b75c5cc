import { KycStatus } from '@florin/proto/identity/v1/user';
import { wordsOf } from './words.ts';

const words = wordsOf(KycStatus);

export const kycStatus = words.schema.meta({ description: 'Status of the identity check' });
/** The states that an identity check can be moved to. */
export const kycMove = words.schema.exclude(['not_started']);

export const toKycStatus = words.toWord;
export const toWireKycStatus = words.toValue;
