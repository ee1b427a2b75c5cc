import type { CHAIN_ERROR_CODES } from '@florin/proto/chain/v1/error-codes';
import type { ErrorEntry } from './entry.ts';

export const CHAIN_ERRORS: Readonly<Record<keyof typeof CHAIN_ERROR_CODES, ErrorEntry>> = {
  CHAIN_NOT_HALTED: {
    cause: 'The chain is not watched, or its watching is not halted: it may have been resolved already.',
    remedy: 'See ListChainWatches.',
    repeat: 'no',
  },
  DEPOSIT_REVERSED: {
    cause:
      'A deposit that was taken back, because its transfer had vanished from the chain, is there again. Only exceptions have this code.',
    remedy: 'Book it by an adjustment, and close the exception as booked.',
    repeat: 'no',
  },
  HALT_NOT_RESOLVABLE: {
    cause:
      'The block from which the chain is to be resolved is too late or too early, or the chain is not final again as far as it was booked.',
    remedy:
      'Take the block that the message names; as metadata it is `atMostBlock`, `atLeastBlock`, or `finalBlock`, as far as which the chain has to be final again.',
    repeat: 'later',
  },
  EXCEPTION_NOT_FOUND: {
    cause: 'No transfer with this exception id needs a person.',
    remedy: 'List the exceptions with ListExceptions.',
    repeat: 'no',
  },
  EXCEPTION_STATE_CONFLICT: {
    cause: 'Only a transfer that the ledger refused can be booked again, by one call at a time, and it cannot be closed meanwhile.',
    remedy: 'While it is being booked again, repeat later; otherwise decide what to do about it, and record it with CloseException.',
    repeat: 'no',
  },
  RESERVES_NOT_FOUND: {
    cause: 'There is no such proof of reserves, or no such part of it; or none has been made yet.',
    remedy: 'Leave `block` out to read the newest one, and read its parts from 0 to before `parts`.',
    repeat: 'later',
  },
  SAFES_NOT_AVAILABLE: {
    cause: 'This deployment has no node or no keys for the chain of the account: it deploys no Safes and carries out no withdrawals.',
    remedy: 'Ask the operator to connect the chain of the account. A sandbox has one when it is started with `CHAIN=local npm start`.',
    repeat: 'no',
  },
  SAFE_NOT_VERIFIED: {
    cause: 'The Safe of the account is not deployed, or is not what an account needs.',
    remedy: 'Sign the set-up (`POST /user/account/set-up/challenge`), and wait until `deployment.status` of the account is `verified`.',
    repeat: 'later',
  },
  RECOVERY_NOT_AVAILABLE: {
    cause:
      'A backup key cannot be named, or the owner not be exchanged, in this state: the message says why. For example, there is no backup key, the operator has not replaced the lost wallet, or another step is under way.',
    remedy: 'Read `deployment.backup` of the account and `GET /user/account/recovery`. A lost wallet is reported to support first.',
    repeat: 'later',
  },
  SET_UP_NOT_AVAILABLE: {
    cause:
      'The set-up of the Safe is under way or done, the Safe was used before its set-up, or the account is not approved yet, or closed.',
    remedy: 'Read `deployment` of the account. A Safe that was used before its set-up needs support.',
    repeat: 'no',
  },
  WITHDRAWAL_EXPIRED: {
    cause: 'The challenge of the withdrawal is older than ten minutes.',
    remedy: 'Request a new challenge and sign it.',
    repeat: 'no',
  },
  WITHDRAWAL_IN_PROGRESS: {
    cause: 'The Safe carries out another withdrawal, or has carried out one since the challenge.',
    remedy: 'Wait until the other withdrawal is mined, then request a new challenge and sign it.',
    repeat: 'later',
  },
  RECIPIENT_REJECTED: {
    cause: 'Screening does not accept the recipient, or has not accepted it yet. The money is spendable again.',
    remedy: 'Withdraw to another address, or ask support.',
    repeat: 'no',
  },
  WITHDRAWALS_FROZEN: {
    cause: 'Screening rejected a deposit, whose money is in the Safe with the rest. The money of the withdrawal is spendable again.',
    remedy: 'Ask support: a person decides about the deposit.',
    repeat: 'later',
  },
  RECIPIENT_COOLING: {
    cause: 'Nothing was withdrawn to this address before, and the first request was not long enough ago.',
    remedy:
      'Request the withdrawal again after the time in the Retry-After header; `usableFrom` says when that is. Somebody who did not ask for it should secure their wallet.',
    repeat: 'later',
  },
  WITHDRAWAL_LIMIT_EXCEEDED: {
    cause:
      'The withdrawal and those of the last 24 hours exceed the limit of the token, or are too many, or went to too many new addresses.',
    remedy: 'Withdraw less, to an address that is known, or wait until earlier withdrawals and requests are older than 24 hours.',
    repeat: 'later',
  },
};
