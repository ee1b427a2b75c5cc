import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { REVOKED_SESSIONS_PATH } from '@florin/proto/identity/v1/revocations';
import type { JWTVerifyGetKey } from 'jose';
import { createAuthenticator, createServiceTokenVerifier, createUserTokenVerifier } from '../auth/index.ts';
import { rulesOf } from '../contract/index.ts';
import { CodedError } from '../errors/index.ts';
import { callersOf } from '../server/bind.ts';
import {
  type Callers,
  implement,
  type Listener,
  type Methods,
  type RpcServerOptions,
  type ServiceImplementation,
  startRpcServer,
} from '../server/index.ts';
import type { TestAuthority } from './authority.ts';
import { quietLogger } from './quiet-logger.ts';

/** The callers of a stand-in for an RPC: those of its contract. */
export const admittedBy = (desc: DescMethod): { callers: Callers } => {
  const rules = rulesOf(desc);
  if (rules === undefined) throw new Error(`${desc.parent.typeName}/${desc.name} has no rules in its contract`);
  return { callers: callersOf(rules.policy) };
};

/** Implements a part of a contract. All other methods reject with FORBIDDEN, so that a test fails on an unexpected call. */
export const implementPart = <S extends DescService>(service: S, methods: Partial<Methods<S>>): ServiceImplementation => {
  const rejecting = service.methods.map((desc) => {
    const { localName, methodKind } = desc;
    const reject = () => {
      throw new CodedError('FORBIDDEN', { message: `${localName} is not implemented by this stand-in` });
    };
    return [localName, { ...admittedBy(desc), ...(methodKind === 'unary' ? { invoke: reject } : { open: reject }) }];
  });
  return implement(service, { ...Object.fromEntries(rejecting), ...methods } as Methods<S>);
};

export type NeighbourOptions = {
  /** The authority whose tokens it accepts. */
  authority: Pick<TestAuthority, 'trust'> & { userKeys: JWTVerifyGetKey };
  /** Name of the service that it replaces, which is the audience of the service tokens that it accepts. */
  name: string;
  services: readonly ServiceImplementation[];
  /** Clock for the expiry of users' tokens. Default: the system clock. */
  now?: () => Date;
} & Pick<RpcServerOptions, 'documents' | 'belongsToPartner'>;

/** Starts a stand-in for another service: a real RPC server on a free port that verifies real tokens. */
export const startNeighbour = ({
  authority,
  name,
  services,
  now = () => new Date(),
  documents,
  belongsToPartner,
}: NeighbourOptions): Promise<Listener> =>
  startRpcServer({
    host: '127.0.0.1',
    port: 0,
    logger: quietLogger,
    strictErrors: true,
    health: {},
    services,
    belongsToPartner,
    authenticate: createAuthenticator({
      user: createUserTokenVerifier(authority.userKeys, now),
      service: createServiceTokenVerifier(name, authority.trust),
      // A stand-in knows no revoked sessions.
      revoked: { check: () => undefined },
    }),
    // Identity's document of revoked sessions, for tests without Redis.
    documents: { [REVOKED_SESSIONS_PATH]: async () => ({ sessions: [] }), ...documents },
  });
