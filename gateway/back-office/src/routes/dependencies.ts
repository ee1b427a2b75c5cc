import type { AuditLog } from '@florin/data/audit';
import type { Assets } from '@florin/rpc/assets';
import type { Runtime } from '@florin/rpc/runtime';
import type { RecordCall, RecordRefusal } from '../audit/recorder.ts';
import type { Services } from '../clients/services.ts';
import type { Invitations } from '../operators/invitations.ts';
import type { Passkeys } from '../operators/passkeys.ts';
import type { Sessions } from '../operators/sessions.ts';
import type { AccessStore } from '../store/accesses.ts';
import type { ActionStore } from '../store/actions.ts';
import type { OnceStore } from '../store/once.ts';
import type { OperatorStore } from '../store/operators.ts';
import type { HaltOrderStore, ReplacementOrderStore } from '../store/orders.ts';
import type { QueueItemStore } from '../store/queue-items.ts';
import type { SessionStore } from '../store/sessions.ts';

/** The dependencies of the operations. */
export type Dependencies = {
  operators: OperatorStore;
  once: OnceStore;
  sessionStore: SessionStore;
  sessions: Sessions;
  /** Name of the session's cookie. */
  cookieName: string;
  passkeys: Passkeys;
  invitations: Invitations;
  record: RecordCall;
  recordRefusal: RecordRefusal;
  auditLog: AuditLog;
  accesses: AccessStore;
  actions: ActionStore;
  haltOrders: HaltOrderStore;
  replacementOrders: ReplacementOrderStore;
  queueItems: QueueItemStore;
  services: Services;
  assets: Assets;
  runtime: Pick<Runtime, 'now' | 'newId' | 'randomBytes'>;
};
