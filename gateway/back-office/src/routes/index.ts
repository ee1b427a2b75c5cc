import type { Endpoint } from '../http/endpoint.ts';
import { adjustmentEndpoints } from './adjustments.ts';
import { auditEndpoints } from './audit.ts';
import { chainEndpoints } from './chain.ts';
import type { Dependencies } from './dependencies.ts';
import { operatorEndpoints } from './operators.ts';
import { overviewEndpoints } from './overview.ts';
import { peopleEndpoints } from './people.ts';
import { personActions } from './person-actions.ts';
import { searchEndpoints } from './search.ts';
import { sessionEndpoints } from './session.ts';
import { webhookEndpointsOf } from './webhooks.ts';

/** All operations, each with who may call it. */
export const endpointsOf = (parts: Dependencies): Endpoint[] => [
  ...sessionEndpoints(parts),
  ...operatorEndpoints(parts),
  ...auditEndpoints(parts),
  ...searchEndpoints(parts),
  ...peopleEndpoints(parts),
  ...personActions(parts),
  ...adjustmentEndpoints(parts),
  ...chainEndpoints(parts),
  ...webhookEndpointsOf(parts),
  ...overviewEndpoints(parts),
];
