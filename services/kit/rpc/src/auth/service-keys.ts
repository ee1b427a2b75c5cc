import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import { z } from 'zod';

const ed25519Public = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  kid: z.string().min(1),
  alg: z.literal('EdDSA').default('EdDSA'),
});

/** Id of a partner (tenant). */
export const partnerIdSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must have 1 to 40 lower-case letters, digits and hyphens');

/** Private Ed25519 key of one process (RFC 8037); `kid` is the process's name. */
export const serviceKeySchema = ed25519Public.extend({ d: z.string().regex(/^[A-Za-z0-9_-]{43}$/) });
export type ServiceKey = z.output<typeof serviceKeySchema>;

/** Names of the first two clients that have a key in common. */
const clientsWithOneKey = (clients: readonly { name: string; key: { x: string }; overlapKey?: { x: string } | undefined }[]) => {
  const owners = new Map<string, string>();
  for (const { name, key, overlapKey } of clients) {
    for (const { x } of overlapKey === undefined || overlapKey.x === key.x ? [key] : [key, overlapKey]) {
      const owner = owners.get(x);
      if (owner !== undefined) return [owner, name] as const;
      owners.set(x, name);
    }
  }
  return undefined;
};

/**
 * The clients that may call a service, with the scopes granted to each. Private parts of keys are removed when the trust is parsed. A key
 * belongs to one client, so that a call has one author.
 */
export const serviceTrustSchema = z.object({
  clients: z
    .array(
      z.object({
        name: z.string().min(1),
        key: ed25519Public,
        /** Another key of the client that is accepted as well, while one is replaced by the other. */
        overlapKey: ed25519Public.optional(),
        scopes: z.array(z.string().min(1)),
        /** The client is a person, not a process: all of its calls need a reason and are recorded in the audit log. */
        person: z.boolean().optional(),
        /** The client is a server of this partner. It has no scopes but those of RPCs that keep partners apart. */
        partnerId: partnerIdSchema.optional(),
      }),
    )
    .superRefine((clients, context) => {
      const both = clientsWithOneKey(clients);
      if (both !== undefined)
        context.addIssue({ code: 'custom', message: `the clients ${both[0]} and ${both[1]} must not have the same key` });
      for (const { name, partnerId, scopes } of clients) {
        const excess = partnerId === undefined ? undefined : scopes.find((scope) => !PARTNER_SCOPES.includes(scope));
        if (excess === undefined) continue;
        context.addIssue({ code: 'custom', message: `the client ${name} of a partner must not have the scope ${excess}` });
      }
    }),
});
export type ServiceTrust = z.output<typeof serviceTrustSchema>;
