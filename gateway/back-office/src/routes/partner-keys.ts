import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import type { PartnerClient } from '@florin/proto/identity/v1/partner_client_service';
import { withinRequest } from '@florin/rpc/client';
import type { z } from 'zod';
import { partnerInvitationBody, partnerKeyBody, type partnerKeys, reasonBody } from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { isoOf, isoUnlessAbsent } from '../views/words.ts';
import { action } from './act.ts';
import type { Dependencies } from './dependencies.ts';
import { programRead } from './read-program.ts';

type Keys = z.output<typeof partnerKeys>;

const toKey = ({ clientId, name, scopes, createdAt, expiresAt, registeredBy }: PartnerClient): Keys['keys'][number] => ({
  clientId,
  name,
  scopes,
  createdAt: isoOf(createdAt),
  ...isoUnlessAbsent('expiresAt', expiresAt),
  registeredBy,
});

/** The keys with which servers of partners sign their tokens. A key is replaced by another one, and then revoked. */
export const partnerKeyEndpoints = (parts: Dependencies): Endpoint[] => {
  const { partnerClients } = parts.services;
  const base = '/api/partners/{partnerId}/keys';
  return [
    programRead(
      parts,
      { path: base, access: 'partners.read', operation: 'partners.keys', reason: 'keys of a partner' },
      async ({ params: { partnerId = '' }, ...call }): Promise<Keys> => {
        const { clients } = await partnerClients.listPartnerClients({ partnerId }, withinRequest(call));
        return { keys: clients.map(toKey), scopes: [...PARTNER_SCOPES] };
      },
    ),
    action(
      parts,
      { path: base, access: 'partners.manage', operation: 'partners.register-key', body: partnerKeyBody },
      async ({ params: { partnerId = '' }, body: { name, x, scopes }, ...call }) => {
        await partnerClients.createPartnerClient({ partnerId, key: { name, x }, scopes }, withinRequest(call));
        return 'registered';
      },
    ),
    action(
      parts,
      { path: `${base}/{clientId}/revoke`, access: 'partners.manage', operation: 'partners.revoke-key', body: reasonBody },
      async ({ params: { partnerId = '', clientId = '' }, ...call }) => {
        await partnerClients.revokePartnerClient({ partnerId, clientId }, withinRequest(call));
        return 'revoked';
      },
    ),
    action(
      parts,
      {
        path: '/api/partners/{partnerId}/invitations',
        access: 'partners.manage',
        operation: 'partners.invite',
        body: partnerInvitationBody,
      },
      async ({ actionId: requestId, params: { partnerId = '' }, body: { scopes }, ...call }) => {
        const { bootstrapToken } = await partnerClients.createPartnerInvitation({ requestId, partnerId, scopes }, withinRequest(call));
        return { status: 'invited', secret: bootstrapToken };
      },
    ),
  ];
};
