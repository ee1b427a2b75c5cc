import type { Request, Response } from 'express';
import { membersOf } from '../partner-requests/partner-requests.ts';
import type { Route } from './define-route.ts';
import type { TokenCaller } from './policy.ts';
import { contextOf } from './request-context.ts';
import type { Serving } from './serving.ts';

/** Keeps what a partner's developers see of a request of the partner's servers, when it has been answered. */
export const recordWhenAnswered = (
  route: Route,
  request: Request,
  response: Response,
  { caller, serving }: { caller: TokenCaller; serving: Serving },
): void => {
  if (caller.kind !== 'service') return;
  const { partnerId, name } = caller;
  const at = serving.runtime.now().toISOString();
  const started = performance.now();
  response.once('finish', () => {
    const { requestId, errorCode } = contextOf(response);
    serving.partnerRequests.record(
      { partnerId, name },
      {
        requestId,
        at,
        method: request.method,
        path: route.path,
        clientId: name,
        status: response.statusCode,
        ...(errorCode === undefined ? {} : { error: errorCode }),
        durationMs: Math.round(performance.now() - started),
        members: membersOf(request.body),
      },
    );
  });
};
