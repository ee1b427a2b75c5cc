import { fakeAnswers } from './fake-answers.ts';
import { time } from './fake-records.ts';

const client = {
  clientId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  partnerId: 'acme',
  name: 'books-server',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  scopes: ['events.read', 'keys.manage'],
  createdAt: time,
};

const one = () => ({ client });

/** Identity's responses to partners: about their keys, and their users. */
export const fakePartnerKeys = {
  redeemPartnerInvitation: one,
  createPartnerClient: one,
  listPartnerClients: () => ({ clients: [client] }),
  revokePartnerClient: () => ({}),
  getPartnerClient: one,
  getUser: () => fakeAnswers['getCurrentUser']?.(),
  admitPartner: () => ({ client: { ...client, expiresAt: time } }),
};
