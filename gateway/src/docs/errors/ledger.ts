import type { LEDGER_ERROR_CODES } from '@florin/proto/ledger/v1/error-codes';
import type { ErrorEntry } from './entry.ts';

const CHECK_STATE = 'Read the current state of the object.';

export const LEDGER_ERRORS: Readonly<Record<keyof typeof LEDGER_ERROR_CODES, ErrorEntry>> = {
  ACCOUNT_NOT_FOUND: {
    cause: 'The user has no account yet, or the account does not exist.',
    remedy: 'Complete the onboarding; GET /user/onboarding returns the next step.',
    repeat: 'after_remedy',
  },
  ACCOUNT_NOT_ACTIVE: {
    cause: 'The account is being provisioned, blocked or closed.',
    remedy: 'Get the status with GET /user/account. A blocked account is released by the operator of the platform.',
    repeat: 'after_remedy',
  },
  ACCOUNT_CLOSED: { cause: 'The account is closed.', remedy: 'Use another account.', repeat: 'no' },
  ACCOUNT_NOT_EMPTY: {
    cause: 'The account still holds money and cannot be closed.',
    remedy: 'Withdraw the balance first.',
    repeat: 'after_remedy',
  },
  ACCOUNT_NOT_REPLACEABLE: {
    cause: 'The Safe of the account can still be verified, the account owes money or has open holds, or somebody has blocked it.',
    remedy:
      'Wait until the holds have ended and the debt is repaid, and unblock the account. An account whose Safe can be verified is not replaced.',
    repeat: 'after_remedy',
  },
  SAFE_OWNER_REVOKED: {
    cause: 'The wallet that owns the Safe was replaced because it was lost or stolen, and still owns the Safe on the chain.',
    remedy: 'The account stays blocked until its Safe has another owner.',
    repeat: 'no',
  },
  ACCOUNT_STATE_CONFLICT: {
    cause: 'The status of the account does not allow the change.',
    remedy: CHECK_STATE,
    repeat: 'no',
  },
  TOKEN_NOT_SUPPORTED: {
    cause: 'The account cannot hold the token.',
    remedy: 'Use one of the tokens that the title of the `Link` header names, or GET /user/balances/v2 returns.',
    repeat: 'no',
  },
  AMOUNT_INVALID: {
    cause: "The amount is not a positive integer in the token's smallest unit, or it exceeds the largest amount.",
    remedy: 'Send the amount as a decimal integer without sign, point, exponent or leading zeros.',
    repeat: 'no',
  },
  INSUFFICIENT_FUNDS: {
    cause: 'The spendable balance is lower than the amount.',
    remedy: 'Deposit money, or use a lower amount.',
    repeat: 'after_remedy',
  },
  ACCOUNT_BLOCKED: {
    cause: 'An account of the entry is blocked.',
    remedy: 'Release the account first.',
    repeat: 'after_remedy',
  },
  ACCOUNTS_IN_DIFFERENT_SHARDS: {
    cause: 'The accounts of the entry are kept in different shards of the ledger.',
    remedy: 'Book the transfer through a system account, in two entries.',
    repeat: 'no',
  },
  ENTRY_NOT_FOUND: { cause: 'The entry does not exist.', remedy: 'Check the id.', repeat: 'no' },
  HOLD_NOT_FOUND: { cause: 'The hold does not exist.', remedy: 'Check the id.', repeat: 'no' },
  HOLD_ALREADY_RESOLVED: {
    cause: 'The hold was posted or voided with another result.',
    remedy: CHECK_STATE,
    repeat: 'no',
  },
  HOLD_EXPIRED: { cause: 'The hold has expired.', remedy: 'Create a new hold.', repeat: 'no' },
  HOLD_LIMIT_REACHED: {
    cause: 'The account has the maximum number of open holds.',
    remedy: 'Resolve open holds first.',
    repeat: 'after_remedy',
  },
  COLLECTION_LIMIT_REACHED: {
    cause: 'The amount held and spent by card, and not collected from the Safe yet, would exceed the amount that may be collected from it.',
    remedy: 'Try again when what was spent has been collected.',
    repeat: 'later',
  },
  CHAIN_HALTED: {
    cause: 'A finalized block of the chain was replaced. Until the operator has decided how it goes on, none of its tokens can be spent.',
    remedy: 'Try again later.',
    repeat: 'later',
  },
  TOKEN_BLOCKED: {
    cause:
      'The issuer of the token has frozen the Safe, has paused the token, or has exchanged its code: `tokenBlocks` of the account tells. It cannot be spent until that is over.',
    remedy: 'Spend another token, or try again later.',
    repeat: 'later',
  },
  DEPOSIT_NOT_FOUND: { cause: 'The deposit does not exist.', remedy: 'Check the id.', repeat: 'no' },
  DEPOSIT_STATE_CONFLICT: {
    cause: 'The deposit was resolved with another result.',
    remedy: CHECK_STATE,
    repeat: 'no',
  },
  WITHDRAWAL_NOT_FOUND: { cause: 'The withdrawal does not exist.', remedy: 'Check the id.', repeat: 'no' },
  WITHDRAWAL_STATE_CONFLICT: {
    cause: 'The status of the withdrawal does not allow the change.',
    remedy: CHECK_STATE,
    repeat: 'no',
  },
  ADJUSTMENT_NOT_FOUND: {
    cause: 'There is no adjustment with this id. Raised over gRPC only.',
    remedy: 'Check the id.',
    repeat: 'no',
  },
  ADJUSTMENT_STATE_CONFLICT: {
    cause: 'The adjustment was already approved or rejected, or it has expired. Raised over gRPC only.',
    remedy: 'Read the adjustment; its state is final.',
    repeat: 'no',
  },
  ENTRY_ALREADY_REVERSED: {
    cause: 'The entry was already reversed in whole. Raised over gRPC only.',
    remedy: 'Nothing is left to reverse.',
    repeat: 'no',
  },
  ENTRY_NOT_REVERSIBLE: {
    cause: 'Entries of this kind cannot be reversed. Raised over gRPC only.',
    remedy: 'Use the operation made for the kind, for example ReverseDeposit.',
    repeat: 'no',
  },
  HOLD_EXPIRY_INVALID: {
    cause: 'The new expiry is not after the current one, or is in the past. Raised over gRPC only.',
    remedy: 'Send a later expiry.',
    repeat: 'after_remedy',
  },
  ENTRIES_ARCHIVED: {
    cause:
      'Entries that the request needs are in archive files. `firstPosition` and `archivedUntil` in the metadata state where the journal begins. Raised over gRPC only.',
    remedy: 'Ask for later entries, or restore the archive files into a database of their own.',
    repeat: 'after_remedy',
  },
  POSITION_NOT_AVAILABLE: {
    cause:
      'The position is beyond the end of the journal, or of a journal that was restored to an earlier state since. Raised over gRPC only.',
    remedy: 'Begin at an earlier position.',
    repeat: 'after_remedy',
  },
  RESERVES_NOT_AVAILABLE: {
    cause: 'The ledger has no key for heads, and signs no proof of reserves. Raised over gRPC only.',
    remedy: 'Configure `LEDGER_HEAD_KEY`.',
    repeat: 'after_remedy',
  },
  REVERSAL_EXCEEDS_ENTRY: {
    cause: 'The reversal takes back more than what is left of the entry. Raised over gRPC only.',
    remedy: 'Reverse at most what is left.',
    repeat: 'after_remedy',
  },
  SELF_APPROVAL: {
    cause:
      'The person who proposed the adjustment or ordered the wallet recovery cannot approve it, nor can an account of the back office that is tied to theirs. Raised over gRPC and in the back office only.',
    remedy: 'Have another person approve it, whom neither of the two has invited.',
    repeat: 'after_remedy',
  },
  SNAPSHOT_IN_PROGRESS: {
    cause: 'A snapshot that was ordered before is still being made. Raised over gRPC only.',
    remedy: 'Order another one once it is made.',
    repeat: 'later',
  },
  SNAPSHOT_NOT_FOUND: {
    cause: 'There is no snapshot as of that block, or not yet. Raised over gRPC only.',
    remedy: 'Wait until it is made, or order another one.',
    repeat: 'later',
  },
  TOKEN_MISMATCH: {
    cause: 'The amount is in another token than the hold or entry that it refers to. Raised over gRPC only.',
    remedy: 'Use the token of the hold or entry.',
    repeat: 'after_remedy',
  },
};
