import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import type {
  CreatePartnerClientRequest,
  CreatePartnerInvitationRequest,
  GetPartnerClientRequest,
  ListPartnerClientsRequest,
  ListPartnersRequest,
  PartnerClientSchema,
  RedeemPartnerInvitationRequest,
  RevokePartnerClientRequest,
} from '@florin/proto/identity/v1/partner_client_service';
import type { AdmitPartnerRequest } from '@florin/proto/identity/v1/sandbox_service';
import type { ServiceCaller } from '@florin/rpc/auth';
import { requireFields, stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { publicMethod, serviceMethod } from '@florin/rpc/server';
import type { PartnerClient } from '../domain/partner-client.ts';
import type { Dependencies } from './dependencies.ts';

type Parts = Pick<Dependencies, 'partnerClients' | 'partnerIds'>;

const toWireClient = (client: PartnerClient): MessageInitShape<typeof PartnerClientSchema> => ({
  clientId: client.clientId,
  partnerId: client.partnerId,
  name: client.name,
  x: client.x,
  scopes: [...client.scopes],
  createdAt: timestampFromDate(client.createdAt),
  ...(client.registeredBy === undefined ? {} : { registeredBy: client.registeredBy }),
  ...(client.expiresAt === undefined ? {} : { expiresAt: timestampFromDate(client.expiresAt) }),
});

/**
 * The partner that a call is about: that of a partner's client, or the one that a platform service names.
 * @throws CodedError FORBIDDEN for another partner, VALIDATION_FAILED for one that the deployment does not have
 */
const partnerOfCall = ({ partnerId: own }: Pick<ServiceCaller, 'partnerId'>, named: string, partnerIds: readonly string[]): string => {
  if (own !== undefined && named !== '' && named !== own)
    throw new CodedError('FORBIDDEN', { message: 'the keys belong to another partner' });
  const partnerId = own ?? named;
  requireFields({ partner_id: partnerIds.includes(partnerId) ? undefined : 'must be the id of a partner' });
  return partnerId;
};

/** @throws CodedError VALIDATION_FAILED for a scope that is not among the allowed ones */
const scopesOf = (asked: readonly string[], allowed: readonly string[]): string[] => {
  const excess = asked.find((scope) => !allowed.includes(scope));
  requireFields({ scopes: excess === undefined ? undefined : `must be among ${allowed.join(', ')}` });
  return asked.length === 0 ? [...allowed] : PARTNER_SCOPES.filter((scope) => asked.includes(scope));
};

export const createPartnerInvitation = ({ partnerClients, partnerIds }: Parts) =>
  serviceMethod(async (request: CreatePartnerInvitationRequest, { caller, logger }) => {
    const partnerId = partnerOfCall(caller, request.partnerId, partnerIds);
    const scopes = scopesOf(request.scopes, PARTNER_SCOPES);
    const { bootstrapToken, expiresAt } = await partnerClients.invite(request.requestId, partnerId, scopes, caller.name);
    logger.info({ partnerId, scopes, by: caller.name }, 'partner invited');
    return { bootstrapToken, expiresAt: timestampFromDate(expiresAt) };
  });

export const redeemPartnerInvitation = ({ partnerClients }: Parts) =>
  serviceMethod(async (request: RedeemPartnerInvitationRequest, { logger }) => {
    const client = await partnerClients.redeem(request.bootstrapToken, stated(request.key));
    logger.info({ clientId: client.clientId, partnerId: client.partnerId }, 'key of a partner registered by a bootstrap token');
    return { client: toWireClient(client) };
  });

/** For a sandbox. */
export const admitPartner = ({ partnerClients, partnerIds: [first = ''] }: Parts) =>
  serviceMethod(async (request: AdmitPartnerRequest) => ({ client: toWireClient(await partnerClients.admit(first, stated(request.key))) }));

export const createPartnerClient = ({ partnerClients, partnerIds }: Parts) =>
  serviceMethod(async (request: CreatePartnerClientRequest, { caller, logger }) => {
    const partnerId = partnerOfCall(caller, request.partnerId, partnerIds);
    const own = caller.partnerId === undefined ? PARTNER_SCOPES : PARTNER_SCOPES.filter((scope) => caller.scopes.has(scope));
    const { name, x } = stated(request.key);
    const scopes = scopesOf(request.scopes, own);
    const client = await partnerClients.register({ partnerId, name, x, scopes, registeredBy: caller.name });
    // A key that was registered before keeps its scopes, which the caller would take for the asked ones.
    if (request.scopes.length > 0 && [...client.scopes].sort().join() !== [...scopes].sort().join())
      throw new CodedError('PARTNER_KEY_IN_USE', { metadata: { reason: 'the key is registered with other scopes' } });
    logger.info({ clientId: client.clientId, partnerId, by: caller.name }, 'key of a partner registered');
    return { client: toWireClient(client) };
  });

export const listPartnerClients = ({ partnerClients, partnerIds }: Parts) =>
  serviceMethod(async (request: ListPartnerClientsRequest, { caller }) => {
    const clients = await partnerClients.list(partnerOfCall(caller, request.partnerId, partnerIds));
    return { clients: clients.map(toWireClient) };
  });

export const listPartners = ({ partners }: Pick<Dependencies, 'partners'>) =>
  serviceMethod((_request: ListPartnersRequest, { caller: { partnerId = '' } }) => ({
    partners: partners.filter(({ id }) => partnerId === '' || partnerId === id).map(({ id, name }) => ({ id, name })),
  }));

export const revokePartnerClient = ({ partnerClients, partnerIds }: Parts) =>
  serviceMethod(async (request: RevokePartnerClientRequest, { caller, logger }) => {
    const partnerId = partnerOfCall(caller, request.partnerId, partnerIds);
    await partnerClients.revoke(partnerId, request.clientId, caller.name);
    logger.info({ clientId: request.clientId, partnerId, by: caller.name }, 'key of a partner revoked');
    return {};
  });

export const getPartnerClient = ({ partnerClients }: Parts) =>
  publicMethod(async (request: GetPartnerClientRequest) => {
    const client = await partnerClients.find(request.clientId);
    if (client === undefined) throw new CodedError('PARTNER_KEY_NOT_FOUND');
    return { client: toWireClient({ ...client, registeredBy: undefined }) };
  });
