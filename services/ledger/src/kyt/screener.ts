import type { Kyt } from '../domain/movement.ts';

/** What a screener is told about a deposit: where money came in, and how much. Nothing about the person. */
export type ScreenedDeposit = {
  /** UUID. Asking again under the same id asks about the same deposit, as it stands by then. */
  depositId: string;
  /** UUID of the account that is to be credited. */
  accountId: string;
  /** EIP-155 chain id. */
  chainId: number;
  /** EIP-55 address of the Safe that received it. */
  safeAddress: string;
  /** 0x and 64 hex digits, lower case. */
  txHash: string;
  /** Position of the transfer event in its transaction's receipt. */
  logIndex: number;
  token: string;
  /** Integer string in the token's smallest unit. */
  amount: string;
  decimals: number;
  currency: string;
};

/** `hold`: no verdict yet, somebody is looking at it. `riskScore` is 0 (harmless) to 100. */
export type Screening = Kyt & { result: 'approve' | 'reject' | 'hold' };

/** Transaction screening (know your transaction; FATF recommendation 16 and its guidance for virtual assets). */
export type KytScreener = {
  /**
   * Answers within some seconds. May be asked about one deposit any number of times.
   * @throws Error when there is no answer that can be trusted
   */
  screen: (deposit: ScreenedDeposit) => Promise<Screening>;
};
