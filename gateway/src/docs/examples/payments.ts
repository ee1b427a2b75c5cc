import {
  ACCOUNT_ID,
  CARD_ID,
  CHALLENGE_ID,
  DECISION_DATA,
  DONE,
  type Example,
  LAST_PAGE,
  MOVEMENT_ID,
  SIGNATURE,
  safeTypedData,
  TIME,
  TX_HASH,
  WALLET,
} from './example.ts';

const MOVEMENT = {
  id: MOVEMENT_ID,
  txHash: TX_HASH,
  amount: '25000000000000000000',
  currency: 'EUR',
  token: 'EURe',
  decimals: 18,
  createdAt: TIME,
};
const CHALLENGE = {
  id: CHALLENGE_ID,
  cardId: CARD_ID,
  accountId: ACCOUNT_ID,
  amount: '4999',
  currency: 'EUR',
  decimals: 2,
  cardLast4: '4242',
  merchant: { displayName: 'Bookshop', country: 'DE', categoryCode: '5942' },
  status: 'pending',
  createdAt: TIME,
  expiresAt: '2026-01-31T12:05:00.000Z',
  decisionAvailable: true,
};
const CARD = {
  id: CARD_ID,
  cardName: 'Groceries',
  name: 'Groceries',
  last4: '4242',
  expMonth: 1,
  expYear: 2030,
  network: 'visa',
  virtual: true,
  status: 'active',
  createdAt: TIME,
};
const BALANCE = { spendable: '9800', nonSpendable: '0', processingDeposits: '0' };

const DEPLOYMENT = {
  status: 'relaying',
  findings: [],
  owner: WALLET,
  platformOwner: WALLET,
  delayModule: WALLET,
  cooldownSeconds: 90_000,
  expirationSeconds: 111_600,
  setUpSignature: `0x${'1a'.repeat(64)}1b`,
};

const RECOVERY_CHALLENGE = {
  transactionId: MOVEMENT_ID,
  typedData: safeTypedData('0x9641d764fc13c8B624c04430C7356C1C7C8102e2', '0x8d80ff0a', 1),
  signer: WALLET,
  expiresAt: TIME,
};

const PROVEN_CHALLENGE = { ...RECOVERY_CHALLENGE, provenKey: WALLET };

/** Examples of the operations that card, ledger, threeds and the gateway itself serve, by operation id. */
export const PAYMENT_EXAMPLES: Readonly<Record<string, Example>> = {
  sendPhoneCode: { request: { phone: '+4915112345678' }, response: DONE },
  updatePhone: { request: { code: '123456' }, response: DONE },
  getAccountReserves: {
    response: {
      accountId: ACCOUNT_ID,
      chainId: 100,
      block: 41_000_123,
      blockHash: TX_HASH,
      createdAt: TIME,
      safeAddress: WALLET,
      owners: [WALLET],
      held: [{ token: 'EURe', amount: '98000000000000000000' }],
      owed: [{ token: 'EURe', amount: '98000000000000000000' }],
      accountPath: [],
      bucketPath: [TX_HASH.slice(2)],
      head: {
        shard: '0',
        block: 4711,
        hash: TX_HASH.slice(2),
        time: TIME,
        root: TX_HASH.slice(2),
        owed: TX_HASH.slice(2),
        shards: ['0'],
        key: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
        signature: 'aBcd',
      },
      publicKey: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    },
  },
  getAccount: {
    response: {
      id: ACCOUNT_ID,
      kycProfileId: MOVEMENT_ID,
      safeOwnerAddress: WALLET,
      safeAddress: WALLET,
      chain: { name: 'Gnosis', id: '100' },
      chainName: 'Gnosis',
      reference: 'FLR-7K2M9Q',
      nativeCurrency: 'EUR',
      additionalCurrencies: ['GBP', 'USD'],
      createdAt: TIME,
      updatedAt: TIME,
      status: 'active',
      provisionedAt: TIME,
      tokenBlocks: [{ token: 'USDCe', reason: 'frozen', since: TIME }],
      deployment: { ...DEPLOYMENT, status: 'verified', verifiedAt: TIME },
    },
  },
  listCollectionAllowances: {
    response: {
      data: [
        {
          token: 'EURe',
          decimals: 18,
          perDay: '5000000000000000000000',
          left: '4950000000000000000000',
          resetsAt: '2026-02-01T00:00:00.000Z',
          uncollected: '28000000000000000000',
          held: '30000000000000000000',
          spendable: '4942000000000000000000',
        },
      ],
    },
  },
  createSetUpChallenge: { response: safeTypedData('0x9641d764fc13c8B624c04430C7356C1C7C8102e2', '0x8d80ff0a', 1) },
  submitSetUp: { request: { signature: SIGNATURE }, response: DEPLOYMENT },
  createBackupKeyChallenge: {
    request: { backupKey: WALLET },
    response: {
      ...PROVEN_CHALLENGE,
      backup: { key: WALLET, module: WALLET, cooldownSeconds: 172_800, expirationSeconds: 604_800 },
    },
  },
  createRecoveryChallenge: { response: PROVEN_CHALLENGE },
  createCancellationChallenge: { response: RECOVERY_CHALLENGE },
  submitRecoveryTransaction: { request: { transactionId: MOVEMENT_ID, signature: SIGNATURE, proof: SIGNATURE }, response: DONE },
  getRecovery: {
    response: { recovery: { recoveryId: MOVEMENT_ID, status: 'waiting', newOwner: WALLET, createdAt: TIME, executableAt: TIME } },
  },
  createWithdrawalChallenge: {
    request: { token: 'EURe', amount: '25000000000000000000', to: WALLET },
    response: {
      withdrawalId: MOVEMENT_ID,
      expiresAt: TIME,
      typedData: safeTypedData('0x420CA0f9B9b604cE0fd9C18EF134C705e5Fa3430', `0xa9059cbb${'00'.repeat(64)}`, 0),
    },
  },
  listReturns: {
    response: {
      data: [
        {
          id: MOVEMENT_ID,
          token: 'EURe',
          decimals: 18,
          amount: '25000000000000000000',
          to: WALLET,
          txHash: `0x${'1'.repeat(64)}`,
          safeAddress: '0x420CA0f9B9b604cE0fd9C18EF134C705e5Fa3430',
        },
      ],
    },
  },
  listMoves: {
    response: {
      data: [
        {
          accountId: MOVEMENT_ID,
          safeAddress: '0x420CA0f9B9b604cE0fd9C18EF134C705e5Fa3430',
          token: 'EURe',
          decimals: 18,
          amount: '25000000000000000000',
          cosigned: true,
          firstOwner: WALLET,
        },
      ],
      ready: true,
    },
  },
  createMoveChallenge: {
    request: { accountId: MOVEMENT_ID, token: 'EURe' },
    response: {
      withdrawalId: MOVEMENT_ID,
      expiresAt: TIME,
      typedData: safeTypedData('0x420CA0f9B9b604cE0fd9C18EF134C705e5Fa3430', `0xa9059cbb${'00'.repeat(64)}`, 0),
    },
  },
  createReturnChallenge: {
    response: {
      withdrawalId: MOVEMENT_ID,
      expiresAt: TIME,
      typedData: safeTypedData('0x420CA0f9B9b604cE0fd9C18EF134C705e5Fa3430', `0xa9059cbb${'00'.repeat(64)}`, 0),
    },
  },
  submitWithdrawal: { request: { withdrawalId: MOVEMENT_ID, signature: SIGNATURE }, response: { id: MOVEMENT_ID, status: 'processing' } },
  getBalances: {
    response: {
      data: [
        {
          currency: 'EUR',
          decimals: 2,
          ...BALANCE,
          processingWithdrawals: '0',
          tokens: [
            {
              token: 'EURe',
              decimals: 18,
              ...BALANCE,
              spendable: '98000000000000000000',
              maxInstantWithdraw: '98000000000000000000',
              contract: '0x420ca0f9b9b604ce0fd9c18ef134c705e5fa3430',
            },
          ],
        },
      ],
    },
  },
  createVirtualCard: { request: { cardName: 'Groceries', phone: '+4915112345678' }, response: { cardId: CARD_ID } },
  listCards: {
    response: {
      data: [CARD],
      pagination: LAST_PAGE,
    },
  },
  getCard: { response: CARD },
  renameCard: {
    request: { cardName: 'Travel', colour: 'blue' },
    response: { ...CARD, cardName: 'Travel', name: 'Travel', colour: 'blue' },
  },
  freezeCard: { response: { ...CARD, status: 'frozen', frozenBy: 'cardholder' } },
  unfreezeCard: { response: CARD },
  reportCardLost: { response: { ...CARD, status: 'lost' } },
  reportCardStolen: { response: { ...CARD, status: 'stolen' } },
  cancelCard: { response: { ...CARD, status: 'cancelled' } },
  replaceCard: { response: { ...CARD, id: MOVEMENT_ID, last4: '1881', replacementFor: CARD_ID } },
  renewCard: { response: { ...CARD, expYear: 2033 } },
  listLedgerHeads: {
    response: {
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
          kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
        },
      ],
      heads: [
        {
          shard: '0',
          block: 4711,
          hash: TX_HASH.slice(2),
          time: TIME,
          key: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
          signature: 'aBcd',
        },
      ],
    },
  },
  listAuditHeads: {
    response: { heads: [{ service: 'card', sequence: 1290, hash: TX_HASH, at: TIME, seal: `0x${'ab'.repeat(64)}` }] },
  },
  getReserves: {
    response: {
      chainId: 100,
      block: 41_000_123,
      blockHash: TX_HASH,
      createdAt: TIME,
      part: 0,
      parts: 1,
      text: `["florin-reserves-3",100,41000123,"${TX_HASH}","${TIME}",[["EURe","0x420ca0f9b9b604ce0fd9c18ef134c705e5fa3430"]]]\n`,
    },
  },
  listDeposits: {
    response: {
      data: [{ ...MOVEMENT, status: 'approved', kytBreakdown: { result: 'approve', riskScore: 5, riskTier: 'low' } }],
      pagination: LAST_PAGE,
    },
  },
  listWithdrawals: { response: { data: [{ ...MOVEMENT, to: WALLET, status: 'completed' }], pagination: LAST_PAGE } },
  listStatement: {
    response: {
      data: [{ ...MOVEMENT, kind: 'deposit', description: 'Deposit', reference: ACCOUNT_ID, balanceAfter: '98000000000000000000' }],
      pagination: LAST_PAGE,
    },
  },
  listChallenges: { response: { data: [CHALLENGE], pagination: LAST_PAGE } },
  watchChallenges: { response: { serverTime: TIME, challenge: CHALLENGE } },
  getChallenge: { response: { serverTime: TIME, challenge: CHALLENGE } },
  issueDecisionChallenge: {
    request: { decision: 'approve' },
    response: DECISION_DATA,
  },
  submitDecision: {
    request: { decision: 'approve', signature: SIGNATURE },
    response: {
      serverTime: TIME,
      challenge: { ...CHALLENGE, status: 'approved', decision: 'approve', decidedAt: TIME, decisionAvailable: false },
    },
  },
  getLiveness: { response: { status: 'ok' } },
  getReadiness: { response: { status: 'ok' } },
  sandboxCreateDeposit: {
    request: { token: 'EURe', amount: MOVEMENT.amount, kyt: 'approve' },
    response: { id: MOVEMENT_ID, txHash: TX_HASH },
  },
  sandboxCreateWithdrawal: {
    request: { token: 'EURe', amount: MOVEMENT.amount, outcome: 'complete' },
    response: { id: MOVEMENT_ID, txHash: TX_HASH },
  },
  sandboxResolveDeposit: { request: { outcome: 'approve' }, response: { ...MOVEMENT, status: 'approved' } },
  sandboxResolveWithdrawal: { request: { outcome: 'complete' }, response: { ...MOVEMENT, to: WALLET, status: 'completed' } },
  sandboxConfirmChallenge: {
    response: {
      serverTime: TIME,
      challenge: { ...CHALLENGE, status: 'approved', decision: 'approve', decidedAt: TIME, decisionAvailable: false },
    },
  },
  sandboxCancelChallenge: { response: { serverTime: TIME, challenge: { ...CHALLENGE, status: 'cancelled', decisionAvailable: false } } },
  sandboxCreateChallenge: {
    request: { cardId: CARD_ID, amount: '4999', currency: 'EUR', merchant: CHALLENGE.merchant },
    response: { challengeId: CHALLENGE_ID },
  },
};
