import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import type { ListRaisedChallengesRequest } from '@florin/proto/threeds/v1/challenge_service';
import { requireFields } from '@florin/rpc/contract';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { STATUS_WORDS } from './from-wire.ts';
import { toWireChallenge } from './to-wire.ts';

const toDate = (time: Timestamp | undefined): Date | undefined => time && timestampDate(time);

/** Returns a page of the challenges that the calling service raised, newest first, each with its status at `serverTime`. */
export const listRaisedChallenges = ({ challenges, runtime }: Dependencies) =>
  serviceMethod(async (request: ListRaisedChallengesRequest, { caller }) => {
    const page = pageOf(request);
    const status = STATUS_WORDS.toWord(request.status);
    const [createdFrom, createdBefore] = [toDate(request.createdFrom), toDate(request.createdBefore)];
    const reversed = createdFrom !== undefined && createdBefore !== undefined && createdFrom > createdBefore;
    requireFields({ created_from: reversed ? 'must not be after created_before' : undefined });
    const now = runtime.now();
    const before = decodeIdCursor(page.cursor);
    const found = await challenges.pageRaised(caller.name, { status, createdFrom, createdBefore, limit: page.limit + 1, before, now });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    const exact = await Promise.all(rows.map((challenge) => challenges.exactAt(challenge, now)));
    return {
      // A challenge decided elsewhere while its expiry was being stored no longer matches the filter.
      challenges: exact.filter((challenge) => status === undefined || challenge.status === status).map(toWireChallenge),
      page: { nextCursor },
      serverTime: timestampFromDate(now),
    };
  });
