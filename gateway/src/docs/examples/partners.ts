import { DONE, type Example, TIME, USER_ID, WALLET } from './example.ts';

const NEW_KEY = { name: 'books-server', jwk: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } };

const KEY = {
  clientId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  partnerId: 'acme',
  name: 'books-server',
  scopes: ['events.read', 'webhooks.read', 'webhooks.manage', 'keys.manage', 'users.read', 'payments.read', 'movements.read'],
  createdAt: TIME,
};

export const PARTNER_EXAMPLES: Readonly<Record<string, Example>> = {
  createPartner: { request: { bootstrapToken: 'fbt_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw4Xy0b1c2d3e', ...NEW_KEY }, response: KEY },
  sandboxCreatePartner: { request: NEW_KEY, response: { ...KEY, expiresAt: '2026-03-02T12:00:00.000Z' } },
  listPartnerKeys: { response: { data: [KEY] } },
  createPartnerKey: { request: { ...NEW_KEY, scopes: ['events.read'] }, response: { ...KEY, scopes: ['events.read'] } },
  listPartnerRequests: {
    response: {
      data: [
        {
          requestId: '0199f0aa-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
          at: TIME,
          method: 'POST',
          path: '/webhook-endpoints',
          clientId: KEY.clientId,
          status: 422,
          error: 'VALIDATION_FAILED',
          durationMs: 12,
          members: [
            { name: 'url', type: 'string' },
            { name: 'types', type: 'string' },
          ],
        },
      ],
    },
  },
  revokePartnerKey: { response: DONE },
  getPartnerUser: {
    response: {
      id: USER_ID,
      email: 'ann@example.org',
      wallets: [{ address: WALLET, primary: true, approvesFrom: TIME }],
      partnerId: 'acme',
      kycStatus: 'approved',
      createdAt: TIME,
    },
  },
};
