import type { CookieKind } from '../http/cookies.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Oidc } from '../operators/oidc.ts';
import { adjustmentEndpoints } from './adjustments.ts';
import { auditEndpoints } from './audit.ts';
import { cardExceptionEndpoints } from './card-exceptions.ts';
import { chainEndpoints } from './chain.ts';
import type { Dependencies } from './dependencies.ts';
import { haltEndpoints } from './halts.ts';
import { oidcEndpoints } from './oidc.ts';
import { operatorEndpoints } from './operators.ts';
import { overviewEndpoints } from './overview.ts';
import { partnerKeyEndpoints } from './partner-keys.ts';
import { passkeyEndpoints } from './passkeys.ts';
import { peopleEndpoints } from './people.ts';
import { personActions } from './person-actions.ts';
import { queueEndpoints } from './queues.ts';
import { replacementEndpoints } from './replacements.ts';
import { reservesEndpoints } from './reserves.ts';
import { searchEndpoints } from './search.ts';
import { sessionEndpoints } from './session.ts';
import { settlementEndpoints } from './settlement.ts';
import { trendEndpoints } from './trends.ts';
import { webhookEndpointsOf } from './webhooks.ts';

/** An OpenID provider, its name on the page, and the cookie for the time between. */
type Provider = { name: string; oidc: Oidc; cookie: CookieKind };

/** All operations, each with who may call it. */
export const endpointsOf = (parts: Dependencies, provider?: Provider): Endpoint[] => [
  ...sessionEndpoints(parts, provider?.name),
  ...(provider === undefined ? [] : oidcEndpoints(parts, provider)),
  ...operatorEndpoints(parts),
  ...passkeyEndpoints(parts),
  ...auditEndpoints(parts),
  ...searchEndpoints(parts),
  ...peopleEndpoints(parts),
  ...personActions(parts),
  ...replacementEndpoints(parts),
  ...adjustmentEndpoints(parts),
  ...cardExceptionEndpoints(parts),
  ...settlementEndpoints(parts),
  ...reservesEndpoints(parts),
  ...chainEndpoints(parts),
  ...haltEndpoints(parts),
  ...partnerKeyEndpoints(parts),
  ...webhookEndpointsOf(parts),
  ...queueEndpoints(parts),
  ...overviewEndpoints(parts),
  ...trendEndpoints(parts),
];
