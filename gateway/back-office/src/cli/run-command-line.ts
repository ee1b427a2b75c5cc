import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readAuditHeads } from '@florin/data/audit';
import { serviceTrustSchema } from '@florin/rpc/auth';
import { ConfigError, type Environment } from '@florin/rpc/config';
import { z } from 'zod';
import { ROLES } from '../contract/index.ts';
import { type Invitation, invite } from './invite.ts';
import { withDatabase } from './open-database.ts';
import { type KeptRecord, readKept, verifyAuditLog } from './verify-audit-log.ts';

const USAGE = `usage:
  invite EMAIL --role ROLE [--role ROLE …]  prints a link by which a person becomes an operator, or an operator gets another passkey and these roles
  first EMAIL --role ROLE [--role ROLE …]   the same, but only while there is no operator; prints nothing otherwise
  verify-audit-log [--after SEQUENCE:HASH] [--heads FILE …] [--trust FILE …]
                                            verifies the audit log, after a record of which an earlier run has printed the hash, and against the
                                            signed heads in kept output of the process, by its key or that of earlier trust lists
roles: ${ROLES.join(', ')}`;

type Output = { out: (line: string) => void; error: (line: string) => void };
type Order =
  | { kind: 'invite'; invitation: Invitation }
  | { kind: 'verify'; kept: KeptRecord | undefined; heads: readonly string[]; trust: readonly string[] };

const invitationSchema = z.strictObject({
  command: z.enum(['invite', 'first']),
  email: z.email().max(254).toLowerCase(),
  roles: z.array(z.enum(ROLES)).min(1),
  after: z.undefined().optional(),
  heads: z.tuple([]),
  trust: z.tuple([]),
});

const verificationSchema = z.strictObject({
  command: z.literal('verify-audit-log'),
  email: z.undefined().optional(),
  roles: z.tuple([]),
  after: z
    .string()
    .transform(readKept)
    .refine((kept) => kept !== undefined)
    .optional(),
  heads: z.array(z.string()),
  trust: z.array(z.string()),
});

const MANY = { type: 'string', multiple: true } as const;

/** @throws Error when the arguments are not what the usage says */
const readOrder = (args: readonly string[]): Order => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { role: MANY, after: { type: 'string' }, heads: MANY, trust: MANY },
    allowPositionals: true,
    strict: true,
  });
  const [command, email, ...more] = positionals;
  if (more.length > 0) throw new Error(USAGE);
  const { role: roles = [], after, heads = [], trust = [] } = values;
  const read = z.union([invitationSchema, verificationSchema]).parse({ command, email, roles, after, heads, trust });
  if (read.command === 'verify-audit-log') return { kind: 'verify', kept: read.after, heads: read.heads, trust: read.trust };
  return { kind: 'invite', invitation: { isFirst: read.command === 'first', email: read.email, roles: [...new Set(read.roles)] } };
};

/** @returns the exit code */
const carryOut = (order: Order, env: Environment, out: Output['out']): Promise<number> =>
  withDatabase(env, async (database) => {
    if (order.kind === 'invite') {
      const url = await invite(database, order.invitation);
      if (url !== undefined) out(url);
      return 0;
    }
    const heads = order.heads
      .flatMap((path) => readAuditHeads(readFileSync(path, 'utf8')))
      .filter(({ service }) => service === 'back-office');
    const trusted = order.trust.flatMap((path) => serviceTrustSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).clients);
    const former = trusted.flatMap(({ name, key, overlapKey }) =>
      name === 'back-office' ? [key, ...(overlapKey ? [overlapKey] : [])] : [],
    );
    const keys = [database.key, ...former];
    const { line, isIntact } = await verifyAuditLog(database.auditLog, order.kept, { heads, keys, retentionDays: database.retentionDays });
    out(line);
    return isIntact ? 0 : 1;
  });

/**
 * Runs the command line of the back office, which needs its database and nothing else.
 * @returns the exit code: 0, 1 for a failure or an audit log that was changed, 2 for a wrong usage, 78 for an invalid configuration
 */
export const runCommandLine = async (args: readonly string[], env: Environment, { out, error }: Output): Promise<number> => {
  let order: Order;
  try {
    order = readOrder(args);
  } catch {
    error(USAGE);
    return 2;
  }
  try {
    return await carryOut(order, env, out);
  } catch (thrown) {
    error(`back-office: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return thrown instanceof ConfigError ? 78 : 1;
  }
};
