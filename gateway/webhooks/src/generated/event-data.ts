// Generated from the catalogue of events by `npm run generate`; do not edit.

/** An amount that moved from one account of the ledger to another one, in the token's smallest unit. */
export type Transfer = { debit: string; credit: string; token: string; amount: string };

/** The merchant of a payment, as far as the network names it. */
export type Merchant = { id?: string; name?: string; city?: string; country?: string; categoryCode?: string };

/** The data of each type of events, in the newest version. A field without a value is left out; fields may be added. */
export type EventData = {
  /** A person registered. */
  'user.registered': { userId?: string; partnerId?: string; accountId?: string };
  /** The state of the identity check changed. */
  'user.kyc_changed': { userId?: string; partnerId?: string; status?: string };
  /** The user has another wallet. */
  'user.wallet_added': { userId?: string };
  /** A wallet of the user was removed. */
  'user.wallet_removed': { userId?: string };
  /** Another wallet is the primary one. */
  'user.primary_wallet_changed': { userId?: string };
  /** The user’s personal data was erased. */
  'user.erased': { userId?: string; partnerId?: string };
  /** Limits of a card are about to be raised, as a wallet of the user has signed; told before the change. */
  'user.card_limits_raising': { userId?: string; last4?: string };
  /** A card is about to be allowed for payments that its controls block, as a wallet of the user has signed; told before the change. */
  'user.card_controls_opening': { userId?: string; last4?: string };
  /** A wallet of the user signed in with a kind of browser or program in which it had no open session. */
  'user.signed_in_elsewhere': { userId?: string };
  /** The user became a cardholder. */
  'cardholder.created': { cardholderId?: string; userId?: string };
  /** The phone number was changed or verified. */
  'cardholder.phone_changed': { cardholderId?: string; userId?: string; phoneVerified?: boolean };
  /** A card was issued. */
  'card.issued': { cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string };
  /** The card was frozen. */
  'card.frozen': { cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; actor?: string };
  /** The card was unfrozen. */
  'card.unfrozen': { cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; actor?: string };
  /** The card was reported lost. */
  'card.lost': { cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; actor?: string };
  /** The card was reported stolen. */
  'card.stolen': { cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; actor?: string };
  /** The card was cancelled. */
  'card.cancelled': { cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; actor?: string };
  /** The card was replaced by another one. */
  'card.replaced': { cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; actor?: string };
  /** The card has a new expiry date. */
  'card.renewed': { cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; actor?: string };
  /** The card has another name or colour. */
  'card.renamed': { cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; actor?: string };
  /** An authorization was approved. */
  'payment.authorized': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** A request of the network was declined. */
  'payment.declined': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** An authorization was raised. */
  'payment.incremented': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** A card was verified without an amount. */
  'payment.verified': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** A terminal asked for the balance. */
  'payment.balance_inquired': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** The network authorized on our behalf. */
  'payment.advised': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** An authorization was reversed, in whole or in part. */
  'payment.reversed': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** An authorization expired. */
  'payment.expired': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** A payment was cleared, in whole or in part. */
  'payment.cleared': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** A payment was cleared without authorization. */
  'payment.force_posted': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** A merchant refunded a payment. */
  'payment.refunded': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** A refund was taken back. */
  'payment.refund_reversed': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** A merchant refunded a payment under another transaction id. */
  'payment.related_refund': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** A refund under another transaction id was taken back. */
  'payment.related_refund_reversed': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** Money was pushed to the card. */
  'payment.credited': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** A credit to the card was announced. */
  'payment.credit_announced': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** An announced credit was taken back. */
  'payment.announcement_reversed': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** An announced credit has expired. */
  'payment.announcement_expired': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** A correction debited the payment. */
  'payment.correction_debited': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** A correction credited the payment. */
  'payment.correction_credited': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** The acquirer presented the payment again. */
  'payment.second_presentment': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string };
  /** The payment is disputed. */
  'payment.disputed': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string; disputeId?: string; stage?: string; cardBlocked?: boolean };
  /** The issuer charged the payment back. */
  'payment.dispute_charged_back': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string; disputeId?: string; stage?: string };
  /** The acquirer objected to the chargeback. */
  'payment.dispute_represented': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string; disputeId?: string; stage?: string };
  /** The issuer objected to the representment. */
  'payment.dispute_pre_arbitration': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string; disputeId?: string; stage?: string };
  /** The network decides on the dispute. */
  'payment.dispute_arbitration': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string; disputeId?: string; stage?: string };
  /** The dispute was decided for the cardholder. */
  'payment.dispute_won': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string; disputeId?: string; stage?: string };
  /** The dispute was decided against the cardholder. */
  'payment.dispute_lost': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string; disputeId?: string; stage?: string };
  /** The dispute was given up. */
  'payment.dispute_withdrawn': { paymentId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; kind?: string; last4?: string; amount?: string; currency?: string; decimals?: number; originalAmount?: string; originalCurrency?: string; originalDecimals?: number; heldAmount?: string; clearedAmount?: string; refundedAmount?: string; merchant?: Merchant; reason?: string; challengeId?: string; relatedPaymentId?: string; processorTransactionId?: string; networkTransactionId?: string; authorizationCode?: string; retrievalReference?: string; acquirerReference?: string; disputeId?: string; stage?: string };
  /** A 3-D Secure challenge waits for a decision. */
  'challenge.created': { challengeId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; amount?: string; currency?: string; decimals?: number; merchant?: Merchant; createdAt?: string; expiresAt?: string; decision?: string };
  /** The cardholder decided; the signature is being checked. */
  'challenge.decided': { challengeId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; amount?: string; currency?: string; decimals?: number; merchant?: Merchant; createdAt?: string; expiresAt?: string; decision?: string };
  /** The cardholder approved. */
  'challenge.approved': { challengeId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; amount?: string; currency?: string; decimals?: number; merchant?: Merchant; createdAt?: string; expiresAt?: string; decision?: string };
  /** The cardholder declined. */
  'challenge.declined': { challengeId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; amount?: string; currency?: string; decimals?: number; merchant?: Merchant; createdAt?: string; expiresAt?: string; decision?: string };
  /** The challenge was cancelled. */
  'challenge.cancelled': { challengeId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; amount?: string; currency?: string; decimals?: number; merchant?: Merchant; createdAt?: string; expiresAt?: string; decision?: string };
  /** The challenge expired. */
  'challenge.expired': { challengeId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; amount?: string; currency?: string; decimals?: number; merchant?: Merchant; createdAt?: string; expiresAt?: string; decision?: string };
  /** The decision could not be verified. */
  'challenge.failed': { challengeId?: string; cardId?: string; accountId?: string; userId?: string; status?: string; last4?: string; amount?: string; currency?: string; decimals?: number; merchant?: Merchant; createdAt?: string; expiresAt?: string; decision?: string };
  /** The card’s number was shown to the cardholder. */
  'card_data.details_viewed': { cardId?: string; userId?: string };
  /** The card’s PIN was shown to the cardholder. */
  'card_data.pin_viewed': { cardId?: string; userId?: string };
  /** The cardholder set the PIN. */
  'card_data.pin_set': { cardId?: string; userId?: string };
  /** The card’s data was encrypted for the processor. */
  'card_data.sealed': { cardId?: string; userId?: string };
  /** An account was opened. */
  'account.opened': { accountId?: string; userId?: string; status?: string };
  /** The account became active. */
  'account.activated': { accountId?: string; userId?: string; status?: string };
  /** The account was blocked. */
  'account.blocked': { accountId?: string; userId?: string; status?: string };
  /** The account was unblocked. */
  'account.unblocked': { accountId?: string; userId?: string; status?: string };
  /** The account was closed. */
  'account.closed': { accountId?: string; userId?: string; status?: string };
  /** Who controls the account’s Safe changed on the chain, or the issuer of a token has frozen it (`TOKEN_FROZEN`). */
  'safe.changed': { chainId?: number; txHash?: string; accountId?: string; userId?: string; change?: string };
  /** A withdrawal to an address was requested for the first time; the user should know of it. */
  'recipient.requested': { accountId?: string; userId?: string; chainId?: number; usableFrom?: string };
  /** A backup key was named, which can exchange a lost owner of the Safe together with the platform. */
  'backup_key.named': { accountId?: string; userId?: string; chainId?: number };
  /** The exchange of the Safe’s owner by the backup key and the platform was requested; the user should know of it. */
  'recovery.requested': { accountId?: string; userId?: string; chainId?: number };
  /** The Safe’s owner was exchanged. */
  'recovery.completed': { accountId?: string; userId?: string; chainId?: number };
  /** The exchange of the Safe’s owner was stopped, or has expired. */
  'recovery.cancelled': { accountId?: string; userId?: string; chainId?: number };
  /** The ledger refused a transfer of the chain. */
  'transfer.refused': { chainId?: number; txHash?: string; logIndex?: number; accountId?: string; token?: string; amount?: string; code?: string };
  /** Tokens left a Safe without an order. */
  'transfer.left': { chainId?: number; txHash?: string; logIndex?: number; accountId?: string; token?: string; amount?: string };
  /** A booked transfer is not on the chain any more. */
  'transfer.vanished': { chainId?: number; txHash?: string; logIndex?: number; accountId?: string; token?: string; amount?: string };
  /** A rejected deposit stops the withdrawals of an account until a person decides. */
  'transfer.rejected': { chainId?: number; txHash?: string; logIndex?: number; accountId?: string; token?: string; amount?: string };
  /** The operator asks the user to sign the return of a rejected deposit to its sender. */
  'return.requested': { accountId?: string; userId?: string; chainId?: number; token?: string; amount?: string };
  /** Chain and ledger disagree about a balance. */
  'balance.differed': { chainId?: number; accountId?: string; token?: string; blockNumber?: number; unseen?: string; unbooked?: string };
  /** Chain and ledger agree about a balance again. */
  'balance.agreed': { chainId?: number; accountId?: string; token?: string; blockNumber?: number };
  /** Watching a chain was halted. */
  'watch.halted': { chainId?: number; blockNumber?: number; bookedHash?: string; foundHash?: string };
  /** Watching a chain was resumed. */
  'watch.resumed': { chainId?: number; blockNumber?: number; bookedTo?: number; vanished?: number };
  /** A deposit was seen on the chain. */
  'deposit.seen': { depositId?: string; accountId?: string; userId?: string; status?: string; token?: string; amount?: string; currency?: string; decimals?: number; txHash?: string };
  /** A deposit was approved and credited. */
  'deposit.approved': { depositId?: string; accountId?: string; userId?: string; status?: string; token?: string; amount?: string; currency?: string; decimals?: number; txHash?: string };
  /** A deposit was rejected by screening. */
  'deposit.rejected': { depositId?: string; accountId?: string; userId?: string; status?: string; token?: string; amount?: string; currency?: string; decimals?: number; txHash?: string };
  /** A deposit was taken back. */
  'deposit.reversed': { depositId?: string; accountId?: string; userId?: string; status?: string; token?: string; amount?: string; currency?: string; decimals?: number; txHash?: string };
  /** Money was set aside for a withdrawal. */
  'withdrawal.created': { withdrawalId?: string; accountId?: string; userId?: string; status?: string; token?: string; amount?: string; currency?: string; decimals?: number; txHash?: string };
  /** A withdrawal is being carried out. */
  'withdrawal.processing': { withdrawalId?: string; accountId?: string; userId?: string; status?: string; token?: string; amount?: string; currency?: string; decimals?: number; txHash?: string };
  /** A withdrawal was completed. */
  'withdrawal.completed': { withdrawalId?: string; accountId?: string; userId?: string; status?: string; token?: string; amount?: string; currency?: string; decimals?: number; txHash?: string };
  /** A withdrawal failed, and the money is back. */
  'withdrawal.failed': { withdrawalId?: string; accountId?: string; userId?: string; status?: string; token?: string; amount?: string; currency?: string; decimals?: number; txHash?: string };
  /** Money was set aside. */
  'hold.created': { entryId?: string; accountId?: string; userId?: string; transfers?: readonly Transfer[]; holdId?: string };
  /** Held money was taken, in whole or in part. */
  'hold.posted': { entryId?: string; accountId?: string; userId?: string; transfers?: readonly Transfer[]; holdId?: string };
  /** Held money was returned. */
  'hold.voided': { entryId?: string; accountId?: string; userId?: string; transfers?: readonly Transfer[]; holdId?: string };
  /** Held money was returned because the hold expired. */
  'hold.expired': { entryId?: string; accountId?: string; userId?: string; transfers?: readonly Transfer[]; holdId?: string };
  /** More money was set aside for a hold. */
  'hold.increased': { entryId?: string; accountId?: string; userId?: string; transfers?: readonly Transfer[]; holdId?: string };
  /** A part of held money was returned. */
  'hold.decreased': { entryId?: string; accountId?: string; userId?: string; transfers?: readonly Transfer[]; holdId?: string };
  /** A hold expires later. */
  'hold.extended': { entryId?: string; accountId?: string; userId?: string; transfers?: readonly Transfer[]; holdId?: string };
  /** Money was moved on the order of the platform. */
  'entry.transferred': { entryId?: string; accountId?: string; userId?: string; transfers?: readonly Transfer[] };
  /** An entry was taken back, in whole or in part. */
  'entry.reversed': { entryId?: string; accountId?: string; userId?: string; transfers?: readonly Transfer[]; reverses?: string };
};
