import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import type { PartnerClient } from '@florin/proto/identity/v1/partner_client_service';
import { withinRequest } from '@florin/rpc/client';
import { keyId } from '@florin/rpc/signing-key';
import type { z } from 'zod';
import { type Partners, partnerInvitationBody, partnerKeyBody, type partnerKeys, reasonBody } from '../contract/index.ts';
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
  const base = '/api/partners/{partnerId}/keys';
  return [
    programRead(
      parts,
      { path: '/api/partners', access: 'partners.read', operation: 'partners.list', reason: 'list of partners' },
      async (call): Promise<Partners> => {
        const { partners } = await parts.services.partnerClients.listPartners({}, withinRequest(call));
        return { partners: partners.map(({ id, name }) => ({ id, name })) };
      },
    ),
    programRead(
      parts,
      { path: base, access: 'partners.read', operation: 'partners.keys', reason: 'keys of a partner' },
      async ({ params: { partnerId = '' }, ...call }): Promise<Keys> => {
        const { clients } = await parts.services.partnerClients.listPartnerClients({ partnerId }, withinRequest(call));
        return { keys: clients.map(toKey), scopes: [...PARTNER_SCOPES] };
      },
    ),
    action(
      parts,
      {
        path: base,
        access: 'partners.manage',
        operation: 'partners.register-key',
        body: partnerKeyBody,
        // The audit log names the key that an operator has registered.
        subjects: ({ x }) => ({ client_id: keyId({ kty: 'OKP', crv: 'Ed25519', x }) }),
      },
      async ({ params: { partnerId = '' }, body: { name, x, scopes }, ...call }) => {
        await parts.services.partnerClients.createPartnerClient({ partnerId, key: { name, x }, scopes }, withinRequest(call));
        return 'registered';
      },
    ),
    action(
      parts,
      { path: `${base}/{clientId}/revoke`, access: 'partners.manage', operation: 'partners.revoke-key', body: reasonBody },
      async ({ params: { partnerId = '', clientId = '' }, ...call }) => {
        await parts.services.partnerClients.revokePartnerClient({ partnerId, clientId }, withinRequest(call));
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
        const { bootstrapToken } = await parts.services.partnerClients.createPartnerInvitation(
          { requestId, partnerId, scopes },
          withinRequest(call),
        );
        return { status: 'invited', secret: bootstrapToken };
      },
    ),
  ];
};
