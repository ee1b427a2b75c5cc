import { requestIdFrom } from '@florin/rpc/request-id';
import { systemRuntime } from '@florin/rpc/runtime';
import { createRecorder } from '../audit/recorder.ts';
import type { Role } from '../contract/index.ts';
import { createInvitations, grantOf } from '../operators/invitations.ts';
import { createOnceStore } from '../store/once.ts';
import { createOperatorStore } from '../store/operators.ts';
import type { OpenDatabase } from './open-database.ts';

export type Invitation = { isFirst: boolean; email: string; roles: Role[] };

/** Makes a link. It is in the audit log. @returns undefined when it is for the first operator only, and there is one */
export const invite = async (
  { connection, auditLog, ready, origin }: OpenDatabase,
  { isFirst, email, roles }: Invitation,
): Promise<string | undefined> => {
  const operators = createOperatorStore(connection);
  const once = createOnceStore(connection);
  const record = createRecorder(auditLog);
  await ready();
  if (isFirst && (await operators.hasAny())) return undefined;
  const invitations = createInvitations({ once, operators, runtime: systemRuntime, origin });
  const call = {
    actor: 'command-line',
    operation: 'operators.invite',
    reason: 'invited at the command line',
    requestId: requestIdFrom(null),
  };
  const invited = { operatorId: await invitations.idOf(email), email, roles };
  const { url } = await record({ ...call, subjects: grantOf(invited), request: { email, roles } }, () => invitations.invite(invited));
  return url;
};
