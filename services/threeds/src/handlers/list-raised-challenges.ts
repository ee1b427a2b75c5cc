import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cutPage, decodeIdCursor, encodeIdCursor, pageSchema } from '@florin/data/paging';
import type { ListRaisedChallengesRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { statusFilterSchema } from './from-wire.ts';
import { toWireChallenge } from './to-wire.ts';

const timeSchema = z
  .object({ seconds: z.bigint(), nanos: z.int() })
  .transform(({ seconds, nanos }) => timestampDate({ $typeName: 'google.protobuf.Timestamp', seconds, nanos }))
  .refine((date) => !Number.isNaN(date.getTime()), 'must be a valid time')
  .optional();

const requestSchema = z
  .object({ status: statusFilterSchema, createdFrom: timeSchema, createdBefore: timeSchema, page: pageSchema })
  .refine(({ createdFrom, createdBefore }) => createdFrom === undefined || createdBefore === undefined || createdFrom <= createdBefore, {
    path: ['createdFrom'],
    error: 'must not be after created_before',
  });

/**
 * Returns a page of the challenges that the calling service raised, newest first, each with its status at `serverTime`.
 * @throws CodedError VALIDATION_FAILED
 */
export const listRaisedChallenges = ({ challenges, runtime }: Dependencies) =>
  serviceMethod(THREEDS_SCOPES.writeChallenges, async (request: ListRaisedChallengesRequest, { caller }) => {
    const { page, ...selected } = parseRequest(requestSchema, request);
    const now = runtime.now();
    const before = decodeIdCursor(page.cursor);
    const found = await challenges.pageRaised(caller.name, { ...selected, limit: page.limit + 1, before, now });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    const exact = await Promise.all(rows.map((challenge) => challenges.exactAt(challenge, now)));
    return {
      // A challenge decided elsewhere while its expiry was being stored no longer matches the filter.
      challenges: exact.filter(({ status }) => selected.status === undefined || status === selected.status).map(toWireChallenge),
      page: { nextCursor },
      serverTime: timestampFromDate(now),
    };
  });
