import type { RegistrationParts } from '../registration/parts.ts';
import { type Interruption, interruptCalls } from './interrupt-calls.ts';

/** Wraps every call of the registration saga. */
export const interruptRegistration = (interrupt: Interruption) =>
  interruptCalls<RegistrationParts>(['registrations', 'users', 'emailClaims', 'walletClaims', 'kyc', 'ledger'], interrupt);
