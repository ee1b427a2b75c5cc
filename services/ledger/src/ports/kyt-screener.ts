import type { Kyt } from '../domain/movement.ts';

/** The facts about a deposit that a screener receives: the transfer and the credited account, without personal data. */
export type ScreenedDeposit = {
  /** UUID. Requests with the same id concern the same screening and return its current state. */
  depositId: string;
  /** UUID of the account to credit. */
  accountId: string;
  /** EIP-155 chain id. */
  chainId: number;
  /** EIP-55 address of the Safe that received the transfer. */
  safeAddress: string;
  /** 0x and 64 hex digits, lower case. */
  txHash: string;
  /** Position of the transfer event in its transaction's receipt. */
  logIndex: number;
  /** EIP-55 address of the sender; empty when it is not known. */
  senderAddress: string;
  token: string;
  /** Integer string in the token's smallest unit. */
  amount: string;
  decimals: number;
  currency: string;
};

/** The facts about a withdrawal that a screener receives before the platform signs it. */
export type ScreenedRecipient = Pick<
  ScreenedDeposit,
  'accountId' | 'chainId' | 'safeAddress' | 'token' | 'amount' | 'decimals' | 'currency'
> & {
  /** UUID. */
  withdrawalId: string;
  /** EIP-55 address of the recipient. */
  recipientAddress: string;
};

/** A verdict. `hold` means that it is under review. `riskScore` is 0 (lowest risk) to 100. */
export type Screening = Kyt & { result: 'approve' | 'reject' | 'hold' };

/** Transaction screening (know your transaction; FATF recommendation 16 and its guidance for virtual assets). */
export type KytScreener = {
  /**
   * Screens a deposit within a few seconds. Safe to repeat for the same deposit.
   * @throws Error when the screener fails or returns an invalid verdict
   */
  screen: (deposit: ScreenedDeposit) => Promise<Screening>;
  /**
   * Screens the recipient of a withdrawal within a few seconds. Safe to repeat.
   * @throws Error when the screener fails or returns an invalid verdict
   */
  screenRecipient: (recipient: ScreenedRecipient) => Promise<Screening>;
};
