import type { Route } from '../http/define-route.ts';
import { createSetUpChallenge } from './account/create-set-up-challenge.ts';
import { getAccount } from './account/get-account.ts';
import { getAccountReserves } from './account/get-account-reserves.ts';
import { getBalances } from './account/get-balances.ts';
import { listCollectionAllowances } from './account/list-collection-allowances.ts';
import { submitSetUp } from './account/submit-set-up.ts';
import { createSiweMessage } from './auth/create-siwe-message.ts';
import { endSession } from './auth/end-session.ts';
import { getPublishedKeys } from './auth/get-published-keys.ts';
import { listSessions } from './auth/list-sessions.ts';
import { logout } from './auth/logout.ts';
import { logoutAll } from './auth/logout-all.ts';
import { refreshSession } from './auth/refresh-session.ts';
import { sendEmailCode } from './auth/send-email-code.ts';
import { signIn } from './auth/sign-in.ts';
import { cancelCard } from './cards/cancel-card.ts';
import { getCardDispute, listCardDisputes, withdrawCardDispute } from './cards/card-disputes.ts';
import { createCardControlsChallenge, createCardLimitsChallenge, createUnfreezeChallenge } from './cards/create-card-challenges.ts';
import { createVirtualCard } from './cards/create-virtual-card.ts';
import { disputeCardTransaction } from './cards/dispute-card-transaction.ts';
import { freezeCard } from './cards/freeze-card.ts';
import { getCard } from './cards/get-card.ts';
import { getCardControls } from './cards/get-card-controls.ts';
import { getCardLimits } from './cards/get-card-limits.ts';
import { getCardReceipt } from './cards/get-card-receipt.ts';
import { getCardTransaction } from './cards/get-card-transaction.ts';
import { listCardTransactions } from './cards/list-card-transactions.ts';
import { listCards } from './cards/list-cards.ts';
import { renameCard } from './cards/rename-card.ts';
import { renewCard } from './cards/renew-card.ts';
import { replaceCard } from './cards/replace-card.ts';
import { reportCardLost } from './cards/report-card-lost.ts';
import { reportCardStolen } from './cards/report-card-stolen.ts';
import { setCardControls, updateCardControls } from './cards/set-card-controls.ts';
import { setCardLimits, updateCardLimits } from './cards/set-card-limits.ts';
import { unfreezeCard } from './cards/unfreeze-card.ts';
import { listEvents } from './events/list-events.ts';
import { listUserEvents } from './events/list-user-events.ts';
import { watchEvents } from './events/watch-events.ts';
import { watchUserEvents } from './events/watch-user-events.ts';
import { getCapabilities } from './health/get-capabilities.ts';
import { getLiveness } from './health/get-liveness.ts';
import { getReadiness } from './health/get-readiness.ts';
import { createKycSession } from './kyc/create-kyc-session.ts';
import { getKyc } from './kyc/get-kyc.ts';
import { receiveKycEvent } from './kyc/receive-kyc-event.ts';
import { getReserves } from './ledger/get-reserves.ts';
import { listLedgerHeads } from './ledger/list-ledger-heads.ts';
import { createWithdrawalChallenge } from './movements/create-withdrawal-challenge.ts';
import { listDeposits } from './movements/list-deposits.ts';
import { listStatement } from './movements/list-statement.ts';
import { listWithdrawals } from './movements/list-withdrawals.ts';
import { submitWithdrawal } from './movements/submit-withdrawal.ts';
import { deleteNotificationSubscription } from './notifications/delete-subscription.ts';
import { getNotificationPreferences, setNotificationPreferences } from './notifications/preferences.ts';
import { putNotificationSubscription } from './notifications/put-subscription.ts';
import { createPartner, createPartnerKey, listPartnerKeys, revokePartnerKey, sandboxCreatePartner } from './partners/partner-keys.ts';
import {
  getPartnerUser,
  getPartnerUserBalances,
  getPartnerUserTransaction,
  listPartnerUserCards,
  listPartnerUserDeposits,
  listPartnerUserTransactions,
  listPartnerUserWithdrawals,
} from './partners/partner-users.ts';
import { createCardDataChallenge } from './pci/create-card-data-challenge.ts';
import { listCardDataAccess } from './pci/list-card-data-access.ts';
import { listVaultKeys } from './pci/list-vault-keys.ts';
import { revealCardData } from './pci/reveal-card-data.ts';
import { setPin } from './pci/set-pin.ts';
import { sendPhoneCode } from './phone/send-phone-code.ts';
import { updatePhone } from './phone/update-phone.ts';
import { advanceClock } from './sandbox/advance-clock.ts';
import { cancelChallenge, confirmChallenge } from './sandbox/challenge-operations.ts';
import { createChallenge } from './sandbox/create-challenge.ts';
import { createCredit, createRefund } from './sandbox/create-credit.ts';
import { createDeposit } from './sandbox/create-deposit.ts';
import { createPayment } from './sandbox/create-payment.ts';
import { createWithdrawal } from './sandbox/create-withdrawal.ts';
import { incrementPayment } from './sandbox/increment-payment.ts';
import { listOutbox } from './sandbox/list-outbox.ts';
import { moveKyc } from './sandbox/move-kyc.ts';
import {
  advisePayment,
  announceCredit,
  clearPayment,
  correctCredit,
  correctDebit,
  expirePayment,
  forcePayment,
  refundPayment,
  reversePayment,
} from './sandbox/network-operations.ts';
import { resolveDispute } from './sandbox/resolve-dispute.ts';
import { resolveDeposit, resolveWithdrawal } from './sandbox/resolve-movements.ts';
import { getSourceOfFunds } from './source-of-funds/get-source-of-funds.ts';
import { submitSourceOfFunds } from './source-of-funds/submit-source-of-funds.ts';
import { acceptTerms } from './terms/accept-terms.ts';
import { listTerms } from './terms/list-terms.ts';
import { listUserTerms } from './terms/list-user-terms.ts';
import { getChallenge } from './threeds/get-challenge.ts';
import { issueDecisionChallenge } from './threeds/issue-decision-challenge.ts';
import { listChallenges } from './threeds/list-challenges.ts';
import { submitDecision } from './threeds/submit-decision.ts';
import { watchChallenges } from './threeds/watch-challenges.ts';
import { addWallet } from './user/add-wallet.ts';
import { createWalletChallenge } from './user/create-wallet-challenge.ts';
import { eraseUser } from './user/erase-user.ts';
import { exportUserData } from './user/export-user-data.ts';
import { getOnboarding } from './user/get-onboarding.ts';
import { getUser } from './user/get-user.ts';
import { makeWalletPrimary } from './user/make-wallet-primary.ts';
import { registerUser } from './user/register-user.ts';
import { removeWallet } from './user/remove-wallet.ts';
import { createWebhookEndpoint } from './webhooks/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from './webhooks/delete-webhook-endpoint.ts';
import { disableWebhookEndpoint } from './webhooks/disable-webhook-endpoint.ts';
import { enableWebhookEndpoint } from './webhooks/enable-webhook-endpoint.ts';
import { getWebhookEndpoint } from './webhooks/get-webhook-endpoint.ts';
import { listWebhookAttempts } from './webhooks/list-webhook-attempts.ts';
import { listWebhookEndpoints } from './webhooks/list-webhook-endpoints.ts';
import { listWebhookKeys } from './webhooks/list-webhook-keys.ts';
import { redeliverWebhookEvent } from './webhooks/redeliver-webhook-event.ts';
import { replayWebhookEvents } from './webhooks/replay-webhook-events.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import { sendTestWebhookEvent } from './webhooks/send-test-webhook-event.ts';
import { updateWebhookEndpoint } from './webhooks/update-webhook-endpoint.ts';

/** Every operation, in the order of the document. */
export const allRoutes: readonly Route[] = [
  createSiweMessage,
  signIn,
  refreshSession,
  logout,
  logoutAll,
  listSessions,
  endSession,
  getPublishedKeys,
  sendEmailCode,
  registerUser,
  getUser,
  exportUserData,
  eraseUser,
  getOnboarding,
  listTerms,
  listUserTerms,
  acceptTerms,
  getSourceOfFunds,
  submitSourceOfFunds,
  getKyc,
  createKycSession,
  receiveKycEvent,
  createWalletChallenge,
  addWallet,
  makeWalletPrimary,
  removeWallet,
  sendPhoneCode,
  updatePhone,
  getAccount,
  getAccountReserves,
  getBalances,
  listCollectionAllowances,
  createSetUpChallenge,
  submitSetUp,
  createVirtualCard,
  listCards,
  listCardTransactions,
  getCardTransaction,
  getCardReceipt,
  disputeCardTransaction,
  listCardDisputes,
  getCardDispute,
  withdrawCardDispute,
  getCard,
  renameCard,
  freezeCard,
  unfreezeCard,
  reportCardLost,
  reportCardStolen,
  cancelCard,
  replaceCard,
  renewCard,
  getCardLimits,
  setCardLimits,
  updateCardLimits,
  getCardControls,
  setCardControls,
  updateCardControls,
  createCardLimitsChallenge,
  createCardControlsChallenge,
  createUnfreezeChallenge,
  listVaultKeys,
  createCardDataChallenge,
  revealCardData,
  setPin,
  listCardDataAccess,
  listDeposits,
  listWithdrawals,
  createWithdrawalChallenge,
  submitWithdrawal,
  listStatement,
  listLedgerHeads,
  getReserves,
  listChallenges,
  watchChallenges,
  createPartner,
  listPartnerKeys,
  createPartnerKey,
  revokePartnerKey,
  getPartnerUser,
  listPartnerUserCards,
  listPartnerUserTransactions,
  getPartnerUserTransaction,
  getPartnerUserBalances,
  listPartnerUserDeposits,
  listPartnerUserWithdrawals,
  listEvents,
  watchEvents,
  listUserEvents,
  watchUserEvents,
  createWebhookEndpoint,
  listWebhookEndpoints,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  enableWebhookEndpoint,
  disableWebhookEndpoint,
  replayWebhookEvents,
  redeliverWebhookEvent,
  sendTestWebhookEvent,
  listWebhookAttempts,
  listWebhookKeys,
  getChallenge,
  issueDecisionChallenge,
  submitDecision,
  putNotificationSubscription,
  deleteNotificationSubscription,
  getNotificationPreferences,
  setNotificationPreferences,
  getCapabilities,
  getLiveness,
  getReadiness,
  listOutbox,
  sandboxCreatePartner,
  createDeposit,
  resolveDeposit,
  createWithdrawal,
  resolveWithdrawal,
  resolveDispute,
  createChallenge,
  confirmChallenge,
  cancelChallenge,
  createPayment,
  incrementPayment,
  advisePayment,
  clearPayment,
  forcePayment,
  reversePayment,
  expirePayment,
  refundPayment,
  announceCredit,
  correctDebit,
  correctCredit,
  createRefund,
  createCredit,
  advanceClock,
  moveKyc,
];
