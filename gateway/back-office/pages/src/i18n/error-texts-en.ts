/** What errors mean to an operator, by code. Other codes have a general text. */
export const errorTextsEn = {
  UNAUTHORIZED: 'Your session has ended. Sign in again.',
  FORBIDDEN: 'Your roles do not allow this.',
  NOT_FOUND: 'This does not exist, or no longer.',
  REASON_REQUIRED: 'The file is closed again. Say anew why you read it.',
  REAUTHENTICATION_REQUIRED: 'Confirm with your passkey, then try again.',
  VALIDATION_FAILED: 'Some of what you entered does not fit.',
  RATE_LIMITED: 'That was too often. Wait a moment, then try again.',
  SERVICE_UNAVAILABLE: 'A part of the platform, or the audit log, is down. Nothing was read or done. Try again in a moment.',
  SELF_APPROVAL: 'You ordered this yourself. Another operator has to approve it.',
  OPERATOR_EXISTS: 'Another operator has this mailbox. A person has one account: invite them by the address that they have here.',
  ORDER_STATE_CONFLICT: 'Another operator has decided this order, or it has expired.',
  CHAIN_NOT_HALTED: 'This chain is not halted any more.',
  HALT_NOT_RESOLVABLE: 'The chain cannot go on from this block. Choose an earlier one, or wait until the chain is final again.',
  PASSKEY_CANCELLED: 'The passkey gave no answer: the window was closed, or it took too long. Try again.',
  PASSKEY_EXISTS: 'This device already has a passkey for you.',
  PASSKEY_FAILED: 'The passkey could not be used in this browser.',
} as const;
