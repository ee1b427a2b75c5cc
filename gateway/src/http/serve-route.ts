import type { RequestHandler } from 'express';
import { deriveKeys, readIdempotencyKey } from '../idempotency/index.ts';
import { admit, repeaterOf } from './admit.ts';
import { hasNoBody, isIdempotent, type Route } from './define-route.ts';
import { parseInput } from './parse-input.ts';
import { readBody, readDelivery, readStrayBody } from './read-body.ts';
import { recordWhenAnswered } from './record-request.ts';
import { contextOf } from './request-context.ts';
import { runHandler } from './run-handler.ts';
import { type Answer, sendJson } from './send.ts';
import { prefersCsv, serveCsv } from './serve-csv.ts';
import { serveEvents } from './serve-events.ts';
import { serveOnce } from './serve-once.ts';
import type { Serving } from './serving.ts';

const headersOf = ({ publicForSeconds, savedAs }: Route): Record<string, string> => ({
  ...(publicForSeconds === undefined ? {} : { 'Cache-Control': `public, max-age=${publicForSeconds}` }),
  ...(savedAs === undefined ? {} : { 'Content-Disposition': `attachment; filename="${savedAs}"` }),
});

/** The steps of a request to a declared route, in order: caller and limits, body, validation, idempotency, handler, response. */
export const serveRoute =
  (route: Route, serving: Serving): RequestHandler =>
  async (request, response) => {
    const context = contextOf(response);
    context.route = route;
    const caller = await admit(route, request, response, serving);
    if (caller !== undefined) recordWhenAnswered(route, request, response, { caller, serving });
    const page = route.policy === 'page' ? serving.openPageSession(request, response) : undefined;
    const delivery = route.webhook === undefined ? undefined : await readDelivery(route.webhook, request, response);
    if (route.body !== undefined && delivery === undefined) await readBody(request, response);
    else if (hasNoBody(route)) await readStrayBody(request, response);
    const key = isIdempotent(route) ? readIdempotencyKey(request.get('idempotency-key')) : undefined;
    const input = parseInput(route, request);
    let made: string | undefined;
    const newKey = (): string => {
      made ??= serving.runtime.newId();
      return made;
    };
    const proofKey = route.acceptsProof === true ? await serving.proofs.keyOf(request) : undefined;
    if (route.eventStream !== undefined) {
      await serveEvents(route, request, response, serving, { caller, input, requestKey: newKey });
      return;
    }
    if (route.csv !== undefined) {
      response.vary('Accept');
      if (prefersCsv(request)) {
        await serveCsv(route, route.csv, request, response, serving, { caller, input, requestKey: newKey });
        return;
      }
    }
    const run = (requestKey: () => string): Promise<Answer> =>
      runHandler(route, request, response, serving, { caller, page, input, requestKey, delivery, proofKey });

    if (key === undefined || caller === undefined) {
      const answer = await run(newKey);
      sendJson(response, { ...answer, headers: headersOf(route) });
      return;
    }
    const keys = deriveKeys(key, { subject: repeaterOf(caller), operationId: route.operationId });
    const content = { method: route.method, path: request.path, query: input.query, body: input.body };
    const once = { records: serving.idempotency, keys, content, context };
    sendJson(response, await serveOnce(once, run));
  };
