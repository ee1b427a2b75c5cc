import { parseArgs } from 'node:util';
import { createAuditLog } from '@florin/data/audit';
import { requireSchema } from '@florin/data/migrations';
import { openStore } from '@florin/data/store';
import { ConfigError, type Environment, loadConfig } from '@florin/rpc/config';
import { createLogger } from '@florin/rpc/observe';
import { requestIdFrom } from '@florin/rpc/request-id';
import { systemRuntime } from '@florin/rpc/runtime';
import { z } from 'zod';
import { createRecorder } from '../audit/recorder.ts';
import { requestHashKey } from '../audit/request-hash-key.ts';
import { configShape } from '../config.ts';
import { ROLES, type Role } from '../contract/index.ts';
import { createInvitations, grantOf } from '../operators/invitations.ts';
import { createOnceStore } from '../store/once.ts';
import { createOperatorStore } from '../store/operators.ts';
import { SCHEMA } from '../store/schema.ts';

const USAGE = `usage:
  invite EMAIL --role ROLE [--role ROLE …]  prints a link by which a person becomes an operator, or an operator gets another passkey and these roles
  first EMAIL --role ROLE [--role ROLE …]   the same, but only while there is no operator; prints nothing otherwise
roles: ${ROLES.join(', ')}`;

const { MONGODB_URI, MONGODB_DATABASE, BACK_OFFICE_URL, SERVICE_KEY } = configShape;

type Output = { out: (line: string) => void; error: (line: string) => void };
type Order = { isFirst: boolean; email: string; roles: Role[] };

/** @throws Error with the usage */
const readOrder = (args: readonly string[]): Order => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { role: { type: 'string', multiple: true } },
    allowPositionals: true,
    strict: true,
  });
  const [command, email, ...more] = positionals;
  const read = z
    .object({ command: z.enum(['invite', 'first']), email: z.email().max(254).toLowerCase(), roles: z.array(z.enum(ROLES)).min(1) })
    .safeParse({ command, email, roles: values.role ?? [] });
  if (!read.success || more.length > 0) throw new Error(USAGE);
  return { isFirst: read.data.command === 'first', email: read.data.email, roles: [...new Set(read.data.roles)] };
};

const invite = async (env: Environment, { isFirst, email, roles }: Order): Promise<string | undefined> => {
  const config = loadConfig({ MONGODB_URI, MONGODB_DATABASE, BACK_OFFICE_URL, SERVICE_KEY }, env);
  const logger = createLogger('back-office', 'warn');
  const store = await openStore({ uri: config.MONGODB_URI, database: config.MONGODB_DATABASE, poolSize: 2, logger });
  try {
    await requireSchema(store.connection, SCHEMA);
    const operators = createOperatorStore(store.connection);
    const once = createOnceStore(store.connection);
    const record = createRecorder(createAuditLog(store.connection, systemRuntime.now, requestHashKey(config.SERVICE_KEY)));
    await store.ready();
    if (isFirst && (await operators.hasAny())) return undefined;
    const invitations = createInvitations({ once, operators, runtime: systemRuntime, origin: config.BACK_OFFICE_URL });
    const call = {
      actor: 'command-line',
      operation: 'operators.invite',
      reason: 'invited at the command line',
      requestId: requestIdFrom(null),
    };
    const invited = { operatorId: await invitations.idOf(email), email, roles };
    const { url } = await record({ ...call, subjects: grantOf(invited), request: { email, roles } }, () => invitations.invite(invited));
    return url;
  } finally {
    await store.close();
  }
};

/**
 * Runs the command line of the back office, which needs its database and nothing else. The invitation is in the audit log.
 * @returns the exit code: 0, 1 for a failure, 2 for a wrong usage, 78 for an invalid configuration
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
    const url = await invite(env, order);
    if (url !== undefined) out(url);
    return 0;
  } catch (thrown) {
    error(`back-office: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return thrown instanceof ConfigError ? 78 : 1;
  }
};
