import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testEngines } from '@florin/data/testing';
import { partOf, startTestSmtpServer } from '@florin/identity/testing/smtp-server';
import { ensureKeys, type Platform, startPlatform } from '@florin/local';
import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel } from '@florin/rpc/client';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCardOrders } from '../bridge/card-orders.ts';
import { receiveMessages } from '../bridge/receive-messages.ts';
import { reportEvents } from '../bridge/report-events.ts';
import { createApiClient } from '../support/api-client.ts';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { createCard, newEmail, newWallet, signIn } from '../support/story.ts';

const DOMAIN = 'app.example.org';
const secret = `whsec_${randomBytes(32).toString('base64')}`;

/** A KYC provider that makes a profile of everybody. */
const startKycProvider = async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ profileId: randomUUID() }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close().closeAllConnections() };
};

const releases: (() => unknown)[] = [];
let platform: Platform;
let smtp: Awaited<ReturnType<typeof startTestSmtpServer>>;
let orders: ReturnType<typeof createCardOrders>;
let operatorKey: JWK;
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-production-'));
  releases.unshift(() => rm(dataDir, { recursive: true, force: true }));
  const { privateKey, publicKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
  smtp = await startTestSmtpServer();
  releases.unshift(smtp.close);
  orders = createCardOrders(privateKey, () => true);
  const bridge = await receiveMessages({ secret, orders });
  releases.unshift(bridge.close);
  const kyc = await startKycProvider();
  releases.unshift(kyc.close);
  const { mongodbUri, redisUrl } = testEngines();
  platform = await startPlatform({
    rootDir: ROOT,
    dataDir,
    report: () => undefined,
    env: {
      ...benchEnvironment(),
      MONGODB_URI: mongodbUri,
      REDIS_URL: redisUrl,
      SANDBOX: 'false',
      PARTNERS: JSON.stringify([{ id: 'florin', name: 'Florin', domains: [DOMAIN] }]),
      ONBOARDING: 'open',
      CARD_PROGRAM: JSON.stringify({ authenticationFrom: '3000' }),
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: 'Florin <no-reply@example.org>',
      SMS_URL: 'http://127.0.0.1:9/',
      SMS_TOKEN: 'not-used-in-this-test',
      KYC_URL: kyc.url,
      KYC_TOKEN: 'not-used-in-this-test',
      KYC_WEBHOOK_SECRET: 'not-used-in-this-test',
      CARD_RANGES: JSON.stringify([{ prefix: '40000077', network: 'visa' }]),
      PROCESSOR_URL: bridge.url,
      PROCESSOR_SECRET: secret,
      PROCESSOR_KEY: JSON.stringify(await exportJWK(publicKey)),
    },
  });
  releases.unshift(() => platform.stop());
  const keys = await ensureKeys(dataDir);
  operatorKey = JSON.parse(readFileSync(keys.keyFile('operator'), 'utf8')) as JWK;
}, 120_000);
afterAll(async () => {
  for (const release of releases) await release();
});

/** Reports a deposit to the ledger as the chain watcher does. */
const deposit = async (accountId: string, amount: string): Promise<void> => {
  const serviceToken = createServiceTokenSource({
    key: serviceKeySchema.parse(operatorKey),
    audience: 'ledger',
    scopes: [LEDGER_SCOPES.writeDeposits, LEDGER_SCOPES.resolveDeposits],
  });
  const channel = createRpcChannel({ baseUrl: platform.urls.ledger, serviceToken, timeoutMs: 10_000 });
  const movements = channel.client(MovementService);
  const txHash = `0x${randomBytes(32).toString('hex')}`;
  const { deposit: seen } = await movements.recordDeposit({ accountId, chainId: 100, txHash, logIndex: 0, token: 'EURe', amount });
  const metadata = { actor: 'operator', reason: 'seen on the chain' };
  await movements.resolveDeposit({ depositId: seen?.id ?? '', status: DepositStatus.APPROVED, metadata });
  await channel.close();
};

it('starts without the sandbox, and plays a payment with real adapters of mail and processor', { timeout: 60_000 }, async () => {
  const api = createApiClient(platform.urls.gateway);
  expect((await api.request('GET', '/sandbox/outbox?to=a@example.org')).status).toBe(404);

  const email = newEmail();
  const { accessToken } = await signIn(api, newWallet(), DOMAIN);
  await api.as(accessToken).auth.sendEmailCode({ email });
  const mail = await waitFor('the mail with the code', async () => smtp.mails.find(({ to }) => to.includes(email)));
  const [otp = ''] = /\b\d{6}\b/.exec(partOf(mail, 'text/plain')) ?? [];
  const { accessToken: token } = await api.as(accessToken).user.registerUser({ email, otp });

  const { id: accountId } = await api.as(token).userAccount.getAccount();
  const cardId = await createCard(api, token);
  expect(orders.cards.get(cardId)?.pan).toMatch(/^40000077\d{8}$/);
  await deposit(accountId, `${50n * 10n ** 18n}`);

  const network = reportEvents(platform.urls.card, operatorKey);
  const payment = { cardId, transactionId: randomUUID(), amount: 1234, merchant: { id: 'M-1', name: 'Corner Shop', country: 'DE' } };
  expect(await network.authorize(payment)).toEqual({ approved: true, responseCode: '00' });
  await network.clear(payment);
  expect(await api.as(token).cards.listCardTransactions()).toMatchObject({ data: [{ status: 'settled', clearedAmount: '1234' }] });
});
