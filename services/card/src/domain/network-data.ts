/** Types of a transaction (ISO 8583 field 3). */
export type TransactionType = 'purchase' | 'cash' | 'quasi_cash' | 'account_funding' | 'original_credit' | 'bill_payment';

/** Texts of the network about an event. */
export type NetworkTexts = {
  network?: string;
  transactionId?: string;
  /** The network's id of the transaction that this one follows from. */
  originalTransactionId?: string;
  /** Acquirer reference number. */
  acquirerReference?: string;
  traceNumber?: string;
  localTime?: string;
  terminalId?: string;
  acquirerId?: string;
  posData?: string;
  surchargeAmount?: string;
  settlementAmount?: string;
  settlementCurrency?: string;
  settlementDate?: string;
  wallet?: string;
  tokenReference?: string;
  riskScore?: string;
};

/** Data of the card network about an event. */
export type NetworkData = NetworkTexts & {
  transmittedAt?: Date;
  /** The message repeats an earlier one. */
  repeat?: true;
  type?: TransactionType;
  preAuthorization?: true;
  expiresAt?: Date;
};
