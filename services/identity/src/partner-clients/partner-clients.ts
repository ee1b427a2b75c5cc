import { createHash } from 'node:crypto';
import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import type { RegisteredClient } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { keyedHash } from '../crypto/derive-key.ts';
import { keyThumbprint, maySign, type PartnerClient } from '../domain/partner-client.ts';
import type { PartnerClientStore } from '../store/partner-clients.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const INVITATION_MS = 7 * DAY_MS;
const SANDBOX_CLIENT_MS = 30 * DAY_MS;

/** Keys of a partner. Several that are registered at the same time may exceed it by their number: it only bounds what is stored. */
const MAX_CLIENTS = { sandbox: 1000, elsewhere: 20 };

type NewKey = { name: string; x: string };
type Registration = NewKey & Pick<PartnerClient, 'partnerId' | 'scopes' | 'expiresAt' | 'registeredBy'>;

/** The keys of partners' servers: how they are registered, end, and are found. */
export type PartnerClients = {
  /** Issues a bootstrap token. @throws CodedError IDEMPOTENCY_KEY_REUSED */
  invite: (
    requestId: string,
    partnerId: string,
    scopes: readonly string[],
    by: string,
  ) => Promise<{ bootstrapToken: string; expiresAt: Date }>;
  /** Registers the key of whoever has a bootstrap token. @throws CodedError BOOTSTRAP_TOKEN_INVALID, PARTNER_KEY_IN_USE, PARTNER_KEY_LIMIT_REACHED */
  redeem: (bootstrapToken: string, key: NewKey) => Promise<PartnerClient>;
  /** Registers a key; a repeat returns it as it is. @throws CodedError PARTNER_KEY_IN_USE, PARTNER_KEY_LIMIT_REACHED */
  register: (registration: Registration) => Promise<PartnerClient>;
  /** Registers a key in a sandbox, for some time from now on. @throws CodedError as `register` */
  admit: (partnerId: string, key: NewKey) => Promise<PartnerClient>;
  list: (partnerId: string) => Promise<PartnerClient[]>;
  /** @throws CodedError PARTNER_KEY_NOT_FOUND for a key of another partner, or none */
  revoke: (partnerId: string, clientId: string, by: string) => Promise<void>;
  /** The key that verifies the tokens of a client; undefined if it may not sign. */
  find: (clientId: string) => Promise<PartnerClient | undefined>;
};

/** The client as processes verify its tokens. */
export const toRegisteredClient = ({ partnerId, x, scopes }: PartnerClient): RegisteredClient => ({ partnerId, x, scopes });

export const createPartnerClients = ({
  store,
  partnerIds,
  isTrusted,
  sandbox,
  invitationKey,
  runtime,
}: {
  store: PartnerClientStore;
  /** Ids of the partners of the deployment. The keys of others end. */
  partnerIds: readonly string[];
  /** Reports whether a key is that of a client in SERVICE_TRUST, which must have no second name. */
  isTrusted: (x: string) => boolean;
  sandbox: boolean;
  /** Key from which bootstrap tokens are derived. */
  invitationKey: Uint8Array;
  runtime: Pick<Runtime, 'now'>;
}): PartnerClients => {
  const inMs = (ms: number) => new Date(runtime.now().getTime() + ms);

  /** @throws CodedError PARTNER_KEY_IN_USE unless the partner has this client, and has not revoked it */
  const ownOf = (client: PartnerClient | undefined, partnerId: string): PartnerClient => {
    if (client === undefined || client.partnerId !== partnerId || client.revokedAt !== undefined)
      throw new CodedError('PARTNER_KEY_IN_USE');
    return client;
  };

  const register: PartnerClients['register'] = async ({ partnerId, name, x, scopes, expiresAt, registeredBy }) => {
    const clientId = keyThumbprint(x);
    if (isTrusted(x)) throw new CodedError('PARTNER_KEY_IN_USE');
    const known = await store.find(clientId);
    if (known !== undefined) return ownOf(known, partnerId);
    const now = runtime.now();
    if ((await store.count(partnerId, now)) >= (sandbox ? MAX_CLIENTS.sandbox : MAX_CLIENTS.elsewhere)) {
      throw new CodedError('PARTNER_KEY_LIMIT_REACHED');
    }
    const client = { clientId, partnerId, name, x, scopes, createdAt: now, registeredBy, expiresAt };
    return (await store.add(client)) ? client : ownOf(await store.find(clientId), partnerId);
  };

  return {
    register,
    invite: async (requestId, partnerId, scopes, by) => {
      const bootstrapToken = `fbt_${keyedHash(invitationKey, [requestId])}`;
      const wanted = { partnerId, scopes };
      const invitation = await store.invite({ tokenHash: hashOf(bootstrapToken), ...wanted, expiresAt: inMs(INVITATION_MS), issuedBy: by });
      const stored = { partnerId: invitation.partnerId, scopes: invitation.scopes };
      if (JSON.stringify(stored) !== JSON.stringify(wanted)) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return { bootstrapToken, expiresAt: invitation.expiresAt };
    },
    redeem: async (bootstrapToken, key) => {
      const clientId = keyThumbprint(key.x);
      // A key that cannot be registered uses up no token.
      if (isTrusted(key.x)) throw new CodedError('PARTNER_KEY_IN_USE');
      const tokenHash = hashOf(bootstrapToken);
      const [known, invited] = await Promise.all([store.find(clientId), store.findInvitation(tokenHash)]);
      if (known !== undefined && invited !== undefined) ownOf(known, invited.partnerId);
      const invitation = await store.redeem(tokenHash, clientId, runtime.now());
      if (invitation === undefined || !partnerIds.includes(invitation.partnerId)) throw new CodedError('BOOTSTRAP_TOKEN_INVALID');
      return register({ ...key, partnerId: invitation.partnerId, scopes: invitation.scopes, registeredBy: invitation.issuedBy });
    },
    admit: async (partnerId, key) => {
      const expiresAt = inMs(SANDBOX_CLIENT_MS);
      const client = await register({ ...key, partnerId, scopes: PARTNER_SCOPES, expiresAt });
      if (client.expiresAt === undefined) return client;
      await store.prolong(client.clientId, expiresAt);
      return { ...client, expiresAt };
    },
    list: (partnerId) => store.list(partnerId, runtime.now()),
    revoke: async (partnerId, clientId, by) => {
      const client = await store.find(clientId);
      if (client?.partnerId !== partnerId) throw new CodedError('PARTNER_KEY_NOT_FOUND');
      await store.revoke(clientId, runtime.now(), by);
    },
    find: async (clientId) => {
      const client = await store.find(clientId);
      return client !== undefined && maySign(client, runtime.now()) && partnerIds.includes(client.partnerId) ? client : undefined;
    },
  };
};

const hashOf = (bootstrapToken: string): string => createHash('sha256').update(bootstrapToken).digest('base64url');
