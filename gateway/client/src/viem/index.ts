export { type CardDetails, type NewPin, reveal, setPin } from './card-data.ts';
export type { ChainNode } from './chain-node.ts';
export { type Decision, decide, type PreparedDecision, prepareDecision } from './decide.ts';
export { UnexpectedTextError } from './expected-text.ts';
export { type ExpectedSetUp, planOf, type SafePlan, setUpAccount } from './set-up.ts';
export { type App, addWallet, makeWalletPrimary, signIn } from './sign-in.ts';
export type { Wallet } from './wallet.ts';
export { type PreparedWithdrawal, prepareWithdrawal, type WithdrawalRequest, withdraw } from './withdraw.ts';
