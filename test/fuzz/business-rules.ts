/**
 * Rules that the services judge and a schema cannot state, by operation: the validation errors that a request which the document allows may
 * get. Everything else about a request is in the document.
 */
export const BUSINESS_RULES: Readonly<Record<string, string>> = {
  // The host of the URI must be the domain.
  createSiweMessage: '^uri: ',
  // The text must be a message as issued, by EIP-4361.
  signIn: '^message: ',
  addWallet: '^message: ',
  // A number must be assigned in its country.
  sendPhoneCode: '^phone: ',
  updatePhone: '^phone: ',
  createVirtualCard: '^phone: ',
  // Questions and answers are those of GET /source-of-funds.
  submitSourceOfFunds: '^answers',
  // Categories are those of ISO 18245, countries those of ISO 3166.
  createCardControlsChallenge: '^(?:categories|countries)\\.',
  setCardControls: '^(?:categories|countries)\\.',
  updateCardControls: '^(?:categories|countries)\\.',
  // The program's currency.
  createCardLimitsChallenge: '\\.currency: ',
  setCardLimits: '\\.currency: ',
  updateCardLimits: '\\.currency: ',
  // Zones are those of the IANA database, and hours that begin when they end are none.
  setNotificationPreferences: '^quietHours\\.(timeZone: must be a time zone|toMinute: must not be equal)',
  // Types of events are those that feeds of partners have.
  ...Object.fromEntries(
    [
      'listEvents',
      'watchEvents',
      'listUserEvents',
      'watchUserEvents',
      'createWebhookEndpoint',
      'setWebhookEndpoint',
      'updateWebhookEndpoint',
    ].map((name) => [name, '^types\\.']),
  ),
  // A payment yet to come has one card, and each event of it names that one. A currency is of an amount.
  ...Object.fromEntries(
    ['Increment', 'Advise', 'Clear', 'Force', 'Reverse', 'Expire', 'Refund'].map((name) => [
      `sandbox${name}Payment`,
      '^(?:cardId|currency|billingAmount): ',
    ]),
  ),
};

/** The same for every operation: a cursor is opaque, and a period must not be reversed. */
export const COMMON_RULE = '^(?:cursor: |(?:from|after): must not be later than )';
