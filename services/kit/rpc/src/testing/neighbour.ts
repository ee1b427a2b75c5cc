import type { DescService } from '@bufbuild/protobuf';
import { REVOKED_SESSIONS_PATH } from '@florin/proto/identity/v1/revocations';
import type { JWTVerifyGetKey } from 'jose';
import { createAuthenticator, createServiceTokenVerifier, createUserTokenVerifier } from '../auth/index.ts';
import { CodedError } from '../errors/index.ts';
import {
  implement,
  type Listener,
  type Methods,
  publicMethod,
  type RpcServerOptions,
  type ServiceImplementation,
  startRpcServer,
} from '../server/index.ts';
import type { TestAuthority } from './authority.ts';
import { quietLogger } from './quiet-logger.ts';

/** A contract of which only these methods are served; all others are refused: a neighbour answers what it is meant to be asked. */
export const implementPart = <S extends DescService>(service: S, methods: Partial<Methods<S>>): ServiceImplementation => {
  const refused = service.methods.map(({ localName }) => [
    localName,
    publicMethod(() => {
      throw new CodedError('FORBIDDEN', { message: `${localName} is not meant to be asked` });
    }),
  ]);
  return implement(service, { ...Object.fromEntries(refused), ...methods } as Methods<S>);
};

export type NeighbourOptions = {
  /** Whose tokens it accepts. */
  authority: Pick<TestAuthority, 'trust'> & { userKeys: JWTVerifyGetKey };
  /** Name of the service that it stands for: the audience of the tokens that it accepts. */
  name: string;
  services: readonly ServiceImplementation[];
  /** Clock by which users' tokens expire. */
  now?: () => Date;
} & Pick<RpcServerOptions, 'documents'>;

/** A stand-in for another service: a real RPC server on a free port that checks real tokens, so that what a test calls is what runs. */
export const startNeighbour = ({ authority, name, services, now = () => new Date(), documents }: NeighbourOptions): Promise<Listener> =>
  startRpcServer({
    host: '127.0.0.1',
    port: 0,
    logger: quietLogger,
    health: {},
    services,
    authenticate: createAuthenticator({
      user: createUserTokenVerifier(authority.userKeys, now),
      service: createServiceTokenVerifier(name, authority.trust),
      // Sessions are identity's business; a stand-in knows of none that ended.
      revoked: { check: () => undefined },
    }),
    // Identity's word on ended sessions, for tests that take Redis away.
    documents: { [REVOKED_SESSIONS_PATH]: async () => ({ sessions: [] }), ...documents },
  });
