import { openEventStream } from '@florin/rpc/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TAGS } from '../http/define-route.ts';
import { allRoutes } from '../routes/index.ts';
import { APP_KEY, CARD_ID, CHALLENGE_ID, JWE, OTHER_ID, THUMBPRINT, USER_ID, WALLET } from '../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../testing/start-gateway.ts';
import { EXAMPLES } from './examples/index.ts';

type OpenApiResponse = { content: Record<string, { schema: object; examples?: object }> };
type Operation = {
  operationId: string;
  tags: string[];
  security: object[];
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  responses: Record<string, OpenApiResponse | { $ref: string }>;
};
type Document = {
  openapi: string;
  info: { title: string; version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, object>>;
};

let gateway: TestGateway;
let document: Document;
let problemsOf: ReturnType<typeof createValidator>;
beforeAll(async () => {
  gateway = await startTestGateway({ env: { SUPPORT_URL: 'https://help.example' } });
  document = (await gateway.ask('GET /openapi.json')).body as Document;
  problemsOf = createValidator();
});
afterAll(() => gateway.close());

const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path));
const operation = (id: string): Operation => {
  const found = operations().find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
};

const responseOf = (id: string, status: number): OpenApiResponse | undefined => {
  const response = operation(id).responses[String(status)];
  if (response === undefined || !('$ref' in response)) return response;
  return document.components['responses']?.[response.$ref.split('/').at(-1) ?? ''] as OpenApiResponse | undefined;
};

/** Makes a function that returns the problems of a response body by the document: of its shape, and for errors of its code, which must be one of the examples. */
const createValidator = () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ ...document, $id: 'doc' });
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  return (id: string, status: number, body: unknown, type = 'application/json'): unknown => {
    const { schema, examples } = responseOf(id, status)?.content[type] ?? { schema: { not: {} } };
    const rooted = JSON.stringify(schema).replaceAll('"#/', '"doc#/');
    const validate = compiled.get(rooted) ?? ajv.compile(JSON.parse(rooted) as object);
    compiled.set(rooted, validate);
    if (!validate(body)) return validate.errors;
    const code = status >= 400 ? (body as { error?: unknown }).error : undefined;
    return typeof code === 'string' && !Object.hasOwn(examples ?? {}, code) ? [`code ${code} is not declared`] : [];
  };
};

describe('document', () => {
  it('has the title, version and tags of the specification, and the support of the deployment as its contact', () => {
    const info = { title: 'User Service', version: '0.0.0', contact: { url: 'https://help.example' } };
    expect(document).toMatchObject({ openapi: '3.1.0', info });
    const used = new Set(operations().flatMap(({ tags }) => tags));
    expect(document.tags.map(({ name }) => name)).toEqual(TAGS.filter((tag) => used.has(tag)));
  });

  it('contains exactly the declared operations with tag, policy and errors', () => {
    expect(
      operations()
        .map(({ operationId }) => operationId)
        .sort(),
    ).toEqual(allRoutes.map(({ operationId }) => operationId).sort());
    for (const route of allRoutes) {
      const described = document.paths[route.path]?.[route.method];
      expect(described).toMatchObject({
        operationId: route.operationId,
        tags: [route.tag],
        security: route.policy === 'public' ? [] : [{ [route.policy === 'partner' ? 'partnerAuth' : 'bearerAuth']: [] }],
      });
      expect(described?.responses).toHaveProperty('200');
      expect(described?.responses).toHaveProperty('500');
      if (route.policy !== 'public') expect(described?.responses).toHaveProperty('401');
      const names = (described?.parameters ?? []).filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
      expect(names).toEqual(route.path.match(/\{[^}]+\}/g) ?? []);
    }
  });

  it('has no pattern with classes of Unicode or look-around, which other languages lack', () => {
    const patterns: string[] = [];
    JSON.stringify(document, (name, value: unknown) => {
      if (name === 'pattern' && typeof value === 'string') patterns.push(value);
      return value;
    });
    expect(patterns.length).toBeGreaterThan(20);
    expect(patterns.filter((pattern) => /\\p\{|\(\?<?[=!]/i.test(pattern))).toEqual([]);
  });

  it('assigns the tags of the specification', () => {
    const tagOf = (method: string, path: string) => document.paths[path]?.[method]?.tags[0];
    expect(tagOf('post', '/user')).toBe('User');
    expect(tagOf('patch', '/phone')).toBe('Phone');
    expect(tagOf('post', '/cards/virtual')).toBe('Cards');
    expect(tagOf('get', '/user/balances/v2')).toBe('User Account');
    expect(tagOf('get', '/user/deposits')).toBe('User Movements');
    expect(tagOf('get', '/3ds/challenges/{challengeId}')).toBe('3DS');
    expect(tagOf('post', '/email-verification')).toBe('Auth');
  });

  it('lists codes under their status, in both shapes where both occur', () => {
    const { schema, examples } = responseOf('createVirtualCard', 422)?.content['application/json'] ?? {};
    expect(schema).toEqual({ oneOf: [{ $ref: '#/components/schemas/ValidationError' }, { $ref: '#/components/schemas/Error' }] });
    expect(examples).toMatchObject({ PHONE_REQUIRED: { value: { success: false, error: 'PHONE_REQUIRED' } }, VALIDATION_FAILED: {} });
    expect(JSON.stringify(responseOf('signIn', 401))).toContain('INVALID_SIGNATURE');
    expect(JSON.stringify(responseOf('submitDecision', 400))).toContain('INVALID_SIGNATURE');
  });

  it('offers Idempotency-Key on mutations with a caller', () => {
    for (const route of allRoutes) {
      const offered = document.paths[route.path]?.[route.method]?.parameters?.some(({ name }) => name === 'Idempotency-Key') === true;
      expect(offered).toBe(route.method !== 'get' && route.policy !== 'public');
    }
  });

  it('describes errors by references to shared schemas only', () => {
    const shared = [{ $ref: '#/components/schemas/Error' }, { $ref: '#/components/schemas/ValidationError' }];
    const errors = operations().flatMap(({ operationId, responses }) =>
      Object.keys(responses)
        .filter((status) => Number(status) >= 400 && operationId !== 'getReadiness')
        .map((status) => responseOf(operationId, Number(status))?.content['application/json']?.schema),
    );
    expect(errors.length).toBeGreaterThan(200);
    for (const schema of errors) {
      const shapes = schema !== undefined && 'oneOf' in schema ? (schema.oneOf as object[]) : [schema];
      for (const shape of shapes) expect(shared).toContainEqual(shape);
    }
    expect(Object.keys(document.components['responses'] ?? {})).toEqual(
      expect.arrayContaining(['InvalidDpopProofOrUnauthorized', 'RateLimited', 'InternalError']),
    );
  });

  it('resolves every reference', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target ?? '');
    expect(references.length).toBeGreaterThan(20);
    for (const reference of references) {
      const [, section, kind, name] = reference.split('/');
      expect(section, reference).toBe('components');
      expect(document.components[kind ?? '']?.[name ?? ''], reference).toBeDefined();
    }
  });

  it('allows additional fields in responses', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const responses = JSON.stringify([operations.map((operation) => operation.responses), document.components['responses']]);
    const closed = Object.entries(document.components['schemas'] ?? {}).filter(([, schema]) =>
      JSON.stringify(schema).includes('additionalProperties'),
    );
    expect(responses).not.toContain('"additionalProperties":false');
    expect(closed.map(([name]) => name).filter((name) => responses.includes(`schemas/${name}"`))).toEqual([]);
  });
});

describe('responses', () => {
  const path = `/3ds/challenges/${CHALLENGE_ID}`;
  const transaction = `/cards/transactions/${CARD_ID}`;
  const network = `/sandbox/payments/${CARD_ID}`;
  const endpoint = `/webhook-endpoints/${CARD_ID}`;
  const credit = { cardId: CARD_ID, amount: '1', currency: 'EUR', merchant: {} };
  const cases: [string, string, unknown][] = [
    ['createSiweMessage', `GET /auth/siwe/${WALLET}?domain=a.example&uri=https://a.example`, undefined],
    ['signIn', 'POST /auth/siwe', { message: 'm', signature: '0xab' }],
    ['refreshSession', 'POST /auth/refresh', { refreshToken: 'r' }],
    ['listSessions', 'GET /auth/sessions', undefined],
    ['endSession', `DELETE /auth/sessions/${CARD_ID}`, undefined],
    ['getPublishedKeys', 'GET /.well-known/jwks.json', undefined],
    ['sendEmailCode', 'POST /email-verification', { email: 'ann@example.org' }],
    ['registerUser', 'POST /user', { email: 'ann@example.org', otp: '123456' }],
    ['getUser', 'GET /user', undefined],
    ['exportUserData', 'GET /user/export', undefined],
    ['eraseUser', 'DELETE /user', undefined],
    ['createWalletChallenge', 'POST /user/wallets/challenge', { wallet: WALLET }],
    ['addWallet', 'POST /user/wallets', { message: 'm', signature: '0xab', approval: '0xcd' }],
    ['makeWalletPrimary', 'POST /user/wallets/primary', { wallet: WALLET, approval: '0xab' }],
    ['removeWallet', `DELETE /user/wallets/${WALLET}`, undefined],
    ['getOnboarding', 'GET /user/onboarding', undefined],
    ['listTerms', 'GET /terms', undefined],
    ['listUserTerms', 'GET /user/terms', undefined],
    ['acceptTerms', 'POST /user/terms', { terms: [{ type: 'general', version: '1' }] }],
    ['getSourceOfFunds', 'GET /source-of-funds', undefined],
    ['submitSourceOfFunds', 'POST /source-of-funds', { answers: [] }],
    ['getKyc', 'GET /kyc', undefined],
    ['createKycSession', 'POST /kyc/session', undefined],
    ['receiveKycEvent', 'POST /webhooks/kyc', { id: 'e', profileId: CARD_ID, sequence: 1, status: 'approved' }],
    ['sandboxMoveKyc', 'POST /sandbox/kyc', { status: 'approved' }],
    ['sendPhoneCode', 'POST /phone/verification', { phone: '+4915112345678' }],
    ['updatePhone', 'PATCH /phone', { phone: '+4915112345678' }],
    ['getAccount', 'GET /user/account', undefined],
    ['getAccountReserves', 'GET /user/account/reserves', undefined],
    ['getBalances', 'GET /user/balances/v2', undefined],
    ['listCollectionAllowances', 'GET /user/account/allowance', undefined],
    ['createSetUpChallenge', 'POST /user/account/set-up/challenge', undefined],
    ['submitSetUp', 'POST /user/account/set-up', { signature: '0xab' }],
    ['createBackupKeyChallenge', 'POST /user/account/backup-key/challenge', { backupKey: WALLET }],
    ['createRecoveryChallenge', 'POST /user/account/recovery/challenge', undefined],
    ['createCancellationChallenge', 'POST /user/account/recovery/cancellation/challenge', undefined],
    ['submitRecoveryTransaction', 'POST /user/account/recovery', { transactionId: CARD_ID, signature: '0xab' }],
    ['getRecovery', 'GET /user/account/recovery', undefined],
    ['createVirtualCard', 'POST /cards/virtual', { cardName: 'x' }],
    ['listCards', 'GET /cards', undefined],
    ['getCard', `GET /cards/${CARD_ID}`, undefined],
    ['renameCard', `PATCH /cards/${CARD_ID}`, { name: 'x' }],
    ['freezeCard', `POST /cards/${CARD_ID}/freeze`, undefined],
    ['unfreezeCard', `POST /cards/${CARD_ID}/unfreeze`, undefined],
    ['reportCardLost', `POST /cards/${CARD_ID}/lost`, undefined],
    ['reportCardStolen', `POST /cards/${CARD_ID}/stolen`, undefined],
    ['cancelCard', `POST /cards/${CARD_ID}/cancel`, undefined],
    ['replaceCard', `POST /cards/${CARD_ID}/replace`, undefined],
    ['renewCard', `POST /cards/${CARD_ID}/renew`, undefined],
    ['listVaultKeys', 'GET /pci/keys', undefined],
    ['createCardDataChallenge', `GET /pci/cards/${CARD_ID}/challenge?action=view-pin&thumbprint=${THUMBPRINT}`, undefined],
    ['revealCardData', `POST /pci/cards/${CARD_ID}/reveal`, { action: 'view-pin', signature: '0xab', key: APP_KEY }],
    ['setPin', `PUT /pci/cards/${CARD_ID}/pin`, { jwe: JWE, signature: '0xab' }],
    ['listCardDataAccess', 'GET /pci/access-log', undefined],
    ['listLedgerHeads', 'GET /.well-known/ledger-heads', undefined],
    ['listAuditHeads', 'GET /.well-known/audit-heads', undefined],
    ['getReserves', 'GET /.well-known/proof-of-reserves?part=0', undefined],
    ['listDeposits', 'GET /user/deposits', undefined],
    ['listWithdrawals', 'GET /user/withdrawals', undefined],
    ['createWithdrawalChallenge', 'POST /user/withdrawals/challenge', { token: 'EURe', amount: '1', to: WALLET }],
    ['listReturns', 'GET /user/returns', undefined],
    ['createReturnChallenge', `POST /user/returns/${CARD_ID}/challenge`, undefined],
    ['listMoves', 'GET /user/moves', undefined],
    ['createMoveChallenge', 'POST /user/moves/challenge', { accountId: CARD_ID, token: 'EURe' }],
    ['submitWithdrawal', 'POST /user/withdrawals', { withdrawalId: CARD_ID, signature: '0xab' }],
    ['listStatement', 'GET /user/statement?from=2026-01-01', undefined],
    ['listChallenges', 'GET /3ds/challenges?status=pending', undefined],
    ['watchChallenges', 'GET /3ds/challenges/events', undefined],
    ['getChallenge', `GET ${path}`, undefined],
    ['issueDecisionChallenge', `POST ${path}/decision-challenge`, { decision: 'approve' }],
    ['submitDecision', `POST ${path}/decision`, { decision: 'approve', signature: '0xab' }],
    ['listEvents', 'GET /events?after=acme:1&types=payment.*', undefined],
    ['watchEvents', 'GET /events/stream', undefined],
    ['listUserEvents', 'GET /user/events?after=acme:1&types=payment.*', undefined],
    ['watchUserEvents', 'GET /user/events/stream', undefined],
    ['createPartner', 'POST /partners', EXAMPLES['createPartner']?.request],
    ['sandboxCreatePartner', 'POST /sandbox/partners', EXAMPLES['sandboxCreatePartner']?.request],
    ['listPartnerKeys', 'GET /partner/keys', undefined],
    ['listPartnerRequests', 'GET /partner/requests', undefined],
    ['createPartnerKey', 'POST /partner/keys', EXAMPLES['createPartnerKey']?.request],
    ['revokePartnerKey', `DELETE /partner/keys/${THUMBPRINT}`, undefined],
    ['getPartnerUser', `GET /partner/users/${USER_ID}`, undefined],
    ['listPartnerUserCards', `GET /partner/users/${USER_ID}/cards?limit=2`, undefined],
    ['listPartnerUserTransactions', `GET /partner/users/${USER_ID}/transactions?status=pending`, undefined],
    ['getPartnerUserTransaction', `GET /partner/users/${USER_ID}/transactions/${CARD_ID}`, undefined],
    ['getPartnerUserBalances', `GET /partner/users/${USER_ID}/balances`, undefined],
    ['listPartnerUserDeposits', `GET /partner/users/${USER_ID}/deposits`, undefined],
    ['listPartnerUserWithdrawals', `GET /partner/users/${USER_ID}/withdrawals`, undefined],
    ['createWebhookEndpoint', 'POST /webhook-endpoints', { url: 'https://hooks.acme.com/' }],
    ['listWebhookEndpoints', 'GET /webhook-endpoints', undefined],
    ['getWebhookEndpoint', `GET ${endpoint}`, undefined],
    ['setWebhookEndpoint', `PUT ${endpoint}`, { url: 'https://hooks.acme.com/', types: [], description: '', contactEmail: null }],
    ['updateWebhookEndpoint', `PATCH ${endpoint}`, { types: ['card.*'] }],
    ['deleteWebhookEndpoint', `DELETE ${endpoint}`, undefined],
    ['rotateWebhookSecret', `POST ${endpoint}/rotate-secret`, {}],
    ['enableWebhookEndpoint', `POST ${endpoint}/enable`, undefined],
    ['disableWebhookEndpoint', `POST ${endpoint}/disable`, undefined],
    ['replayWebhookEvents', `POST ${endpoint}/replay`, { after: 'acme:1' }],
    ['redeliverWebhookEvent', `POST ${endpoint}/redeliver`, { sequence: 1 }],
    ['sendTestWebhookEvent', `POST ${endpoint}/test`, undefined],
    ['listWebhookAttempts', `GET ${endpoint}/attempts?sequence=5&limit=2`, undefined],
    ['listWebhookKeys', 'GET /.well-known/webhooks/jwks.json', undefined],
    ['getCapabilities', 'GET /capabilities', undefined],
    ['getLiveness', 'GET /health/live', undefined],
    ['getReadiness', 'GET /health/ready', undefined],
    ['sandboxListOutbox', 'GET /sandbox/outbox?to=ann@example.org', undefined],
    ['sandboxCreateDeposit', 'POST /sandbox/deposits', { token: 'EURe', amount: '5' }],
    ['sandboxCreateWithdrawal', 'POST /sandbox/withdrawals', { token: 'EURe', amount: '5' }],
    ['sandboxResolveDeposit', `POST /sandbox/deposits/${OTHER_ID}/resolve`, { outcome: 'approve' }],
    ['sandboxResolveWithdrawal', `POST /sandbox/withdrawals/${OTHER_ID}/resolve`, { outcome: 'complete' }],
    ['sandboxConfirmChallenge', `POST /sandbox/3ds/challenges/${CHALLENGE_ID}/confirm`, undefined],
    ['sandboxCancelChallenge', `POST /sandbox/3ds/challenges/${CHALLENGE_ID}/cancel`, undefined],
    ['sandboxCreateChallenge', 'POST /sandbox/3ds/challenges', { cardId: CARD_ID, amount: '1', currency: 'EUR', merchant: {} }],
    ['listCardTransactions', 'GET /cards/transactions?status=pending', undefined],
    ['getCardTransaction', `GET ${transaction}`, undefined],
    ['getCardReceipt', `GET ${transaction}/receipt`, undefined],
    ['setCardTransactionNote', `PUT ${transaction}/note`, { note: 'x' }],
    ['disputeCardTransaction', `POST ${transaction}/dispute`, { reason: 'fraud' }],
    ['listCardDisputes', 'GET /cards/disputes', undefined],
    ['getCardDispute', `GET /cards/disputes/${OTHER_ID}`, undefined],
    ['withdrawCardDispute', `POST /cards/disputes/${OTHER_ID}/withdraw`, undefined],
    ['sandboxResolveDispute', `POST /sandbox/disputes/${OTHER_ID}/resolve`, { outcome: 'won' }],
    ['getCardLimits', `GET /cards/${CARD_ID}/limits`, undefined],
    ['setCardLimits', `PUT /cards/${CARD_ID}/limits`, EXAMPLES['setCardLimits']?.request],
    ['updateCardLimits', `PATCH /cards/${CARD_ID}/limits`, { daily: { amount: '5', currency: 'EUR' } }],
    ['createCardLimitsChallenge', `POST /cards/${CARD_ID}/limits/challenge`, { daily: { amount: '5', currency: 'EUR' } }],
    ['createCardControlsChallenge', `POST /cards/${CARD_ID}/controls/challenge`, { online: true }],
    ['createUnfreezeChallenge', `POST /cards/${CARD_ID}/unfreeze/challenge`, undefined],
    ['getCardControls', `GET /cards/${CARD_ID}/controls`, undefined],
    ['setCardControls', `PUT /cards/${CARD_ID}/controls`, EXAMPLES['setCardControls']?.request],
    ['updateCardControls', `PATCH /cards/${CARD_ID}/controls`, { online: false }],
    ['sandboxCreatePayment', 'POST /sandbox/payments', { ...credit, capture: true }],
    ['sandboxIncrementPayment', `POST ${network}/increment`, { amount: '1' }],
    ['sandboxAdvisePayment', `POST ${network}/advise`, { amount: '1' }],
    ['sandboxClearPayment', `POST ${network}/clear`, { amount: '1' }],
    ['sandboxForcePayment', `POST ${network}/force`, { amount: '1' }],
    ['sandboxReversePayment', `POST ${network}/reverse`, {}],
    ['sandboxExpirePayment', `POST ${network}/expire`, {}],
    ['sandboxRefundPayment', `POST ${network}/refund`, { amount: '1' }],
    ['sandboxAnnounceCredit', `POST ${network}/announce-credit`, { amount: '1' }],
    ['sandboxCorrectDebit', `POST ${network}/correct-debit`, { amount: '1' }],
    ['sandboxCorrectCredit', `POST ${network}/correct-credit`, { amount: '1' }],
    ['sandboxCreateRefund', 'POST /sandbox/refunds', credit],
    ['sandboxCreateCredit', 'POST /sandbox/credits', credit],
    ['putNotificationSubscription', 'PUT /notifications/subscriptions', EXAMPLES['putNotificationSubscription']?.request],
    ['deleteNotificationSubscription', `DELETE /notifications/subscriptions/${'a'.repeat(43)}`, undefined],
    ['getNotificationPreferences', 'GET /notifications/preferences', undefined],
    ['setNotificationPreferences', 'PUT /notifications/preferences', EXAMPLES['setNotificationPreferences']?.request],
    ['sandboxAdvanceClock', 'POST /sandbox/clock', { advanceSeconds: 60 }],
    // Last, because the token stops working.
    ['logout', 'POST /auth/logout', undefined],
    ['logoutAll', 'POST /auth/logout-all', undefined],
  ];

  it('cover every operation', () => {
    expect(cases.map(([id]) => id).sort()).toEqual(allRoutes.map(({ operationId }) => operationId).sort());
  });

  it('of watchChallenges match the document, event by event', async () => {
    const stream = await openEventStream(`${gateway.app.url}/3ds/challenges/events`, gateway.userToken, 'unknown');
    await stream.until('ready', ({ event }) => event === 'ready');
    await stream.close();
    expect(stream.events.map(({ event }) => event)).toEqual(['reset', 'challenge', 'ready']);
    for (const { data } of stream.events) expect(problemsOf('watchChallenges', 200, data, 'text/event-stream')).toEqual([]);
  });

  it.each([
    ['watchEvents', '/events/stream', () => gateway.partnerToken, 'acme:5'],
    ['watchUserEvents', '/user/events/stream', () => gateway.userToken, 'florin:5'],
  ])('of %s match the document, event by event', async (id, path, token, first) => {
    const stream = await openEventStream(`${gateway.app.url}${path}`, token());
    await stream.until('the checkpoint', ({ event }) => event === 'checkpoint');
    await stream.close();
    expect(stream.events.map(({ id, event }) => [id, event])).toEqual([
      [first, 'payment.cleared'],
      ['acme:7', 'checkpoint'],
    ]);
    for (const { data } of stream.events) expect(problemsOf(id, 200, data, 'text/event-stream')).toEqual([]);
  });

  const tokenOf = (id: string): string => {
    if (allRoutes.some(({ operationId, policy, tag }) => operationId === id && (policy === 'partner' || tag === 'Webhooks')))
      return gateway.partnerToken;
    // The user's token has stopped working by the time of the last case.
    return id === 'logoutAll' ? gateway.walletToken : gateway.userToken;
  };

  it.each(cases.filter(([id]) => !id.startsWith('watch')))('of %s match the document', async (id, target, body) => {
    const answer = await gateway.ask(target, { token: tokenOf(id), body });
    expect(answer.status).toBe(200);
    expect(problemsOf(id, 200, answer.body)).toEqual([]);
    if (body !== undefined) {
      const refused = await gateway.ask(target, { token: gateway.userToken, body: [] });
      expect(problemsOf(id, refused.status, refused.body)).toEqual([]);
    }
    if (allRoutes.find(({ operationId }) => operationId === id)?.policy !== 'public') {
      const anonymous = await gateway.ask(target, { body });
      expect(problemsOf(id, anonymous.status, anonymous.body)).toEqual([]);
      expect(problemsOf(id, anonymous.status, { success: false, error: 'NO_SUCH_CODE' })).not.toEqual([]);
    }
  });
});
