/**
 * `responseCode`: field 39 of ISO 8583; `visa`, `mastercard`: the network's own code where it has another one. `words`: what the cardholder reads.
 */
type DeclineEntry = { responseCode: string; visa?: string; mastercard?: string; words: string };

/** Why a request is declined. The codes are part of the interface: added, never renamed. */
export const DECLINE_CODES = {
  card_frozen: { responseCode: '62', words: 'The card is frozen.' },
  card_cancelled: { responseCode: '14', words: 'The card was cancelled.' },
  card_lost: { responseCode: '41', words: 'The card was reported lost.' },
  card_stolen: { responseCode: '43', words: 'The card was reported stolen.' },
  card_expired: { responseCode: '54', words: 'The card has expired.' },
  card_used: { responseCode: '57', words: 'The card is for a single purchase, which was made.' },
  expiry_incorrect: { responseCode: '54', words: 'The expiry date was incorrect.' },
  security_code_incorrect: { responseCode: '63', visa: 'N7', mastercard: '05', words: 'The security code was incorrect.' },
  security_code_blocked: {
    responseCode: '63',
    visa: 'N7',
    mastercard: '05',
    words: 'The security code was entered incorrectly too often.',
  },
  address_incorrect: { responseCode: '05', words: 'The postal code was incorrect.' },
  cryptogram_incorrect: { responseCode: '63', visa: 'Q1', mastercard: '88', words: 'The chip of the card could not be verified.' },
  pin_incorrect: { responseCode: '55', words: 'The PIN was incorrect.' },
  pin_required: { responseCode: '55', words: 'The PIN has to be entered.' },
  pin_blocked: { responseCode: '75', words: 'The PIN was entered incorrectly too often.' },
  account_blocked: { responseCode: '62', words: 'The account is blocked.' },
  account_closed: { responseCode: '14', words: 'The account is closed.' },
  transaction_invalid: { responseCode: '12', words: 'The merchant sent a request that does not fit the payment.' },
  category_blocked: { responseCode: '57', words: 'Payments to this kind of merchant are not permitted.' },
  country_blocked: { responseCode: '57', words: 'Payments in this country are not permitted.' },
  merchant_blocked: { responseCode: '57', words: 'Payments to this merchant are not permitted.' },
  type_blocked: { responseCode: '57', words: 'This type of payment is not permitted.' },
  channel_blocked: { responseCode: '57', words: 'This way of paying is switched off for the card.' },
  authentication_required: { responseCode: '05', visa: '1A', mastercard: '65', words: 'The payment has to be approved in the app.' },
  contactless_limit_exceeded: { responseCode: '65', visa: '1A', words: 'The card has to be inserted and the PIN entered.' },
  authentication_invalid: {
    responseCode: '05',
    visa: '1A',
    mastercard: '65',
    words: 'The approval does not fit the payment, or was used before.',
  },
  transaction_limit_exceeded: { responseCode: '61', words: 'The amount is above the limit for one payment.' },
  daily_limit_exceeded: { responseCode: '61', words: 'The payment exceeds the daily limit of the card.' },
  weekly_limit_exceeded: { responseCode: '61', words: 'The payment exceeds the weekly limit of the card.' },
  monthly_limit_exceeded: { responseCode: '61', words: 'The payment exceeds the monthly limit of the card.' },
  atm_limit_exceeded: { responseCode: '61', words: 'The withdrawal exceeds the daily cash limit of the card.' },
  cash_back_limit_exceeded: { responseCode: '61', words: 'The cash paid out at the counter is above the limit for one payment.' },
  // Mastercard's 65 asks for an authentication of the cardholder.
  count_limit_exceeded: { responseCode: '65', mastercard: '61', words: 'The card was used too often today.' },
  account_limit_exceeded: { responseCode: '61', words: 'The payment exceeds the limit of the account.' },
  suspected_fraud: { responseCode: '59', mastercard: '63', words: 'The payment looks fraudulent.' },
  declined_by_issuer: { responseCode: '05', words: 'The payment was declined.' },
  insufficient_funds: { responseCode: '51', words: 'The balance is too low.' },
  declined_elsewhere: { responseCode: '05', words: 'The payment was declined before it reached the issuer.' },
  payments_halted: { responseCode: '91', words: 'Payments are halted because of a disturbance. Try again later.' },
  timed_out: { responseCode: '91', words: 'The payment could not be decided in time. Try again.' },
  system_error: { responseCode: '96', words: 'The payment could not be decided because of a fault. Try again.' },
} as const satisfies Record<string, DeclineEntry>;

export type DeclineCode = keyof typeof DECLINE_CODES;

/** Networks with response codes of their own. Cards of any other network get the codes of ISO 8583. */
export const CODED_NETWORKS = ['visa', 'mastercard'] as const;

/**
 * Response code of a decline.
 * @param network the network of the card, for example visa
 */
export const declineResponseCode = (code: DeclineCode, network: string): string => {
  const entry: DeclineEntry = DECLINE_CODES[code];
  const own = CODED_NETWORKS.find((coded) => coded === network);
  return (own === undefined ? undefined : entry[own]) ?? entry.responseCode;
};

/** Response code of an approval, by whether all of the amount is approved. */
export const approvalCode = (whole: boolean): string => (whole ? '00' : '10');
