import { DONE, type Example, LAST_PAGE, MOVEMENT_ID, SIGNATURE, TIME, typedData, USER_ID, WALLET } from './example.ts';

const MESSAGE = `app.example.org wants you to sign in with your Ethereum account:
${WALLET}

Sign in to Florin.

URI: https://app.example.org
Version: 1
Chain ID: 100
Nonce: 3f2a9c5b7d1e4f60
Issued At: ${TIME}
Expiration Time: 2026-01-31T12:10:00.000Z`;

const TOKENS = { accessToken: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIweDUyIn0.c2ln', refreshToken: 'rt_6b1f0c', expiresIn: 900 };
const TERM = { type: 'general', name: 'General Terms', url: 'https://florin.example/terms/general', currentVersion: '2' };
const ANSWER = { question: 'What is the source of your funds?', answer: 'Salary' };

/** Examples of the operations that identity serves, by operation id. */
export const IDENTITY_EXAMPLES: Readonly<Record<string, Example>> = {
  getCapabilities: {
    response: {
      sandbox: false,
      onboarding: ['terms', 'kyc', 'source_of_funds', 'phone'],
      wallets: ['eoa', 'safe'],
      withdrawals: true,
      tokens: [{ token: 'EURe', decimals: 18, currency: 'EUR', contract: '0x420ca0f9b9b604ce0fd9c18ef134c705e5fa3430' }],
      tokenBlocks: [],
      currencies: ['EUR'],
      chain: { id: '100', name: 'Gnosis' },
      limits: {
        cards: 5,
        requestsPerMinute: { caller: 600, signIn: 60 },
        payments: { currency: 'EUR', perTransaction: '500000', daily: '1000000' },
      },
      support: { url: 'https://help.florin.example' },
    },
  },
  createSiweMessage: { response: { message: MESSAGE } },
  signIn: { request: { message: MESSAGE, signature: SIGNATURE }, response: TOKENS },
  refreshSession: { request: { refreshToken: TOKENS.refreshToken }, response: { ...TOKENS, userId: USER_ID } },
  logout: { response: DONE },
  logoutAll: { response: DONE },
  listSessions: {
    response: {
      data: [
        { id: MOVEMENT_ID, wallet: WALLET, createdAt: TIME, lastUsedAt: TIME, userAgent: 'Example/1.0', ip: '192.0.2.1', current: true },
      ],
      pagination: LAST_PAGE,
    },
  },
  endSession: { response: DONE },
  getPublishedKeys: {
    response: {
      keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'k1', alg: 'EdDSA', use: 'sig' }],
    },
  },
  sendEmailCode: { request: { email: 'ann@example.org' }, response: DONE },
  registerUser: {
    request: { email: 'ann@example.org', otp: '123456' },
    response: { userId: USER_ID, accessToken: TOKENS.accessToken, expiresIn: TOKENS.expiresIn },
  },
  getUser: {
    response: {
      id: USER_ID,
      email: 'ann@example.org',
      phone: '+4915112345678',
      wallets: [{ address: WALLET, primary: true, approvesFrom: TIME }],
      partnerId: 'florin',
      kycStatus: 'approved',
      createdAt: TIME,
    },
  },
  exportUserData: {
    response: {
      exportedAt: TIME,
      records: [{ service: 'identity', kind: 'user', data: { id: USER_ID, email: 'ann@example.org', createdAt: TIME } }],
    },
  },
  eraseUser: { response: { success: true, claimsReleasedAt: TIME } },
  getOnboarding: {
    response: { status: 'action_complete_kyc', url: 'https://kyc.florin.example/s/1', kycStatus: 'documents_requested' },
  },
  listTerms: { response: { terms: [TERM] } },
  listUserTerms: { response: { terms: [{ ...TERM, accepted: true, acceptedVersion: '2', acceptedAt: TIME }] } },
  acceptTerms: { request: { terms: [{ type: 'general', version: '2' }] }, response: DONE },
  getSourceOfFunds: {
    response: {
      questions: [{ question: ANSWER.question, answers: ['Salary', 'Savings', 'Inheritance'], answer: ANSWER.answer }],
      complete: true,
      answeredAt: TIME,
    },
  },
  submitSourceOfFunds: { request: { answers: [ANSWER] }, response: DONE },
  getKyc: { response: { status: 'in_review', profileId: MOVEMENT_ID, changedAt: TIME } },
  createKycSession: { response: { url: 'https://kyc.florin.example/s/1', expiresAt: '2026-01-31T13:00:00.000Z' } },
  receiveKycEvent: { request: { id: 'evt_1', profileId: MOVEMENT_ID, sequence: 3, status: 'approved' }, response: DONE },
  createWalletChallenge: {
    request: { wallet: WALLET },
    response: typedData(
      'Florin Wallets',
      `ADD a wallet to my Florin account. It will be able to sign in and to approve payments.\nWallet: ${WALLET}\nUser: ${USER_ID}\nExpires: 2026-01-31T12:10:00.000Z`,
    ),
  },
  addWallet: {
    request: { message: MESSAGE, signature: SIGNATURE, approval: SIGNATURE },
    response: { address: WALLET, primary: false, approvesFrom: TIME },
  },
  makeWalletPrimary: {
    request: { wallet: WALLET, approval: SIGNATURE },
    response: { address: WALLET, primary: true, approvesFrom: TIME },
  },
  removeWallet: { response: DONE },
  sandboxListOutbox: {
    response: { data: [{ channel: 'email', to: 'ann@example.org', text: 'Your code is 123456.', code: '123456', sentAt: TIME }] },
  },
  sandboxMoveKyc: { request: { status: 'approved' }, response: { status: 'approved' } },
};
