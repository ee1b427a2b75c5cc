import type { ContractSigners } from '@florin/evm/contract-signers';
import type { WalletCaller } from '@florin/rpc/auth';
import type { Runtime } from '@florin/rpc/runtime';
import type { ServiceImplementation } from '@florin/rpc/server';
import type { Rounds } from '@florin/rpc/time';
import type { LedgerAccountsClient } from '../clients/ledger-accounts.ts';
import type { Erasure } from '../domain/erasure.ts';
import type { OnboardingMode } from '../domain/onboarding.ts';
import type { Partner } from '../domain/partners.ts';
import type { Question } from '../domain/source-of-funds.ts';
import type { Term } from '../domain/terms.ts';
import type { User } from '../domain/user.ts';
import type { ErasureOrder } from '../erasure/erase-user.ts';
import type { ReceiveKycEvent } from '../kyc/receive-event.ts';
import type { KycSessions } from '../kyc/sessions.ts';
import type { TakeKycBack } from '../kyc/take-back.ts';
import type { Onboarding } from '../onboarding/onboarding.ts';
import type { Codes } from '../otp/codes.ts';
import type { SendCode } from '../otp/send-code.ts';
import type { SendLimits } from '../otp/send-limits.ts';
import type { PartnerClients } from '../partner-clients/partner-clients.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { SandboxOutbox } from '../ports/sandbox-outbox.ts';
import type { SmsSender } from '../ports/sms-sender.ts';
import type { Recoveries } from '../recoveries/recoveries.ts';
import type { RegistrationLock } from '../registration/lock.ts';
import type { RegistrationInput } from '../registration/parts.ts';
import type { RequireRecentSignIn } from '../sessions/require-recent-sign-in.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { ProveWallet } from '../siwe/prove-wallet.ts';
import type { SiweMessages } from '../siwe/siwe-messages.ts';
import type { ClaimStore } from '../store/claims.ts';
import type { FundsAnswerStore } from '../store/funds-answers.ts';
import type { KycStandingStore } from '../store/kyc-standings.ts';
import type { RegistrationStore } from '../store/registrations.ts';
import type { SessionOwner } from '../store/sessions.ts';
import type { TermAcceptanceStore } from '../store/term-acceptances.ts';
import type { UserStore } from '../store/users.ts';
import type { WalletRecoveryStore } from '../store/wallet-recoveries.ts';
import type { IssueAccessToken } from '../tokens/access-tokens.ts';
import type { KeyRing } from '../tokens/key-ring.ts';
import type { AddWallet } from '../wallets/add-wallet.ts';
import type { WalletApprovals } from '../wallets/approvals.ts';
import type { MakePrimary } from '../wallets/make-primary.ts';
import type { WalletRemoval } from '../wallets/remove-wallet.ts';

/** Everything that handlers use. */
export type Dependencies = {
  runtime: Runtime;
  siweMessages: Pick<SiweMessages, 'issue'>;
  proveWallet: ProveWallet;
  sessions: Sessions;
  /** The owner whose sessions a caller sees and ends: the wallet, or all wallets of the user. */
  ownerOf: (caller: WalletCaller) => Promise<SessionOwner>;
  issueAccessToken: IssueAccessToken;
  rotateKey: KeyRing['rotate'];
  revokeKey: KeyRing['revoke'];
  /** The owner of all sessions of a user. */
  ownerOfUser: (user: Pick<User, 'wallets' | 'partnerId'>) => Promise<SessionOwner>;
  users: UserStore;
  emailClaims: Pick<ClaimStore, 'ownerOf'>;
  walletClaims: Pick<ClaimStore, 'ownerOf'>;
  /** The partners, and their ids. */
  partners: readonly { id: string; name: string }[];
  partnerIds: readonly string[];
  /** The registered keys of partners' servers. */
  partnerClients: PartnerClients;
  registrations: Pick<RegistrationStore, 'partnerOf'>;
  approvals: WalletApprovals;
  addWalletTo: AddWallet;
  makePrimary: MakePrimary;
  removeWalletFrom: WalletRemoval['remove'];
  /** Mails about changes of wallets. */
  notices: Pick<Rounds, 'kick'>;
  recoveries: Recoveries;
  walletRecoveries: WalletRecoveryStore;
  codes: Codes;
  sendCode: SendCode;
  /** Limits of messages that carry no code. */
  sendLimits: SendLimits;
  mailer: Mailer;
  smsSender: SmsSender;
  /** Countries whose numbers get codes (ISO 3166-1 alpha-2). */
  smsCountries: ReadonlySet<string>;
  /** EIP-155 id that sign-in messages name. */
  chainId: number;
  /** The partner that a sign-in domain belongs to. */
  partnerOf: (domain: string) => Partner | undefined;
  partnerNameOf: (partnerId: string) => string;
  lock: RegistrationLock;
  isRegistered: (wallet: string) => Promise<boolean>;
  /** Runs the registration saga. @returns id of the user */
  register: (input: RegistrationInput) => Promise<string>;
  terms: readonly Term[];
  acceptances: TermAcceptanceStore;
  questions: readonly Question[];
  fundsAnswers: FundsAnswerStore;
  kycStandings: KycStandingStore;
  kycSessions: KycSessions;
  receiveKycEvent: ReceiveKycEvent;
  takeBack: TakeKycBack;
  /** Secret that the KYC provider signs with; without it every event is rejected. */
  kycWebhookSecret: string | undefined;
  onboardingMode: OnboardingMode;
  /** True if contract wallets may sign in: nodes of the chain are configured. */
  contractWallets: boolean;
  onboarding: Onboarding;
  ledger: LedgerAccountsClient;
  requireRecentSignIn: RequireRecentSignIn;
  /** The chains on which contracts verify signatures. */
  contracts: ContractSigners;
  /** Runs the erasure saga. */
  erase: (order: ErasureOrder) => Promise<Erasure>;
  personalData: ServiceImplementation;
  /** True if the sandbox operations are served. */
  sandbox: boolean;
  outbox: SandboxOutbox;
};
