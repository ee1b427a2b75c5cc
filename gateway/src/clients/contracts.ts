import { CardService } from '@florin/proto/card/v1/card_service';
import { PaymentService } from '@florin/proto/card/v1/payment_service';
import { ProcessorService } from '@florin/proto/card/v1/processor_service';
import { SandboxService as CardSandboxService } from '@florin/proto/card/v1/sandbox_service';
import { ArrivingService } from '@florin/proto/chain/v1/arriving_service';
import { RecoveryService } from '@florin/proto/chain/v1/recovery_service';
import { ReservesService } from '@florin/proto/chain/v1/reserves_service';
import { SafeService } from '@florin/proto/chain/v1/safe_service';
import { WithdrawalService } from '@florin/proto/chain/v1/withdrawal_service';
import { FeedService } from '@florin/proto/events/v1/feed_service';
import { WebhookEndpointService } from '@florin/proto/events/v1/webhook_endpoint_service';
import { AuthService } from '@florin/proto/identity/v1/auth_service';
import { ErasureService } from '@florin/proto/identity/v1/erasure_service';
import { KycService } from '@florin/proto/identity/v1/kyc_service';
import { OnboardingService } from '@florin/proto/identity/v1/onboarding_service';
import { PartnerClientService } from '@florin/proto/identity/v1/partner_client_service';
import { SandboxService } from '@florin/proto/identity/v1/sandbox_service';
import { SessionService } from '@florin/proto/identity/v1/session_service';
import { SourceOfFundsService } from '@florin/proto/identity/v1/source_of_funds_service';
import { TermsService } from '@florin/proto/identity/v1/terms_service';
import { UserService } from '@florin/proto/identity/v1/user_service';
import { VerificationService } from '@florin/proto/identity/v1/verification_service';
import { WalletService } from '@florin/proto/identity/v1/wallet_service';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { JournalService } from '@florin/proto/ledger/v1/journal_service';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { StatementService } from '@florin/proto/ledger/v1/statement_service';
import { NotificationService } from '@florin/proto/notifications/v1/notification_service';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { SandboxService as ThreedsSandboxService } from '@florin/proto/threeds/v1/sandbox_service';
import { CardDataService } from '@florin/proto/vault/v1/card_data_service';

/** The contracts that the gateway calls, by service, with the names that its routes have for them. */
export const CONTRACTS = {
  identity: {
    auth: AuthService,
    sessions: SessionService,
    verification: VerificationService,
    users: UserService,
    terms: TermsService,
    sourceOfFunds: SourceOfFundsService,
    kyc: KycService,
    onboarding: OnboardingService,
    sandbox: SandboxService,
    /** The keys of partners' servers. */
    partnerClients: PartnerClientService,
    wallets: WalletService,
    erasure: ErasureService,
  },
  card: { cards: CardService, cardPayments: PaymentService, cardNetwork: ProcessorService, cardSandbox: CardSandboxService },
  ledger: {
    accounts: AccountService,
    balances: BalanceService,
    movements: MovementService,
    statements: StatementService,
    journal: JournalService,
  },
  threeds: { challenges: ChallengeService, threedsSandbox: ThreedsSandboxService },
  vault: { cardData: CardDataService },
  chain: {
    safes: SafeService,
    recoveries: RecoveryService,
    arriving: ArrivingService,
    reserves: ReservesService,
    safeWithdrawals: WithdrawalService,
  },
  /** The feeds and webhook endpoints of partners. */
  events: { events: FeedService, webhooks: WebhookEndpointService },
  notifications: { notifications: NotificationService },
} as const;
