import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import {
  type CreateKycSessionRequest,
  type GetKycRequest,
  KycService,
  type ListKycReviewsRequest,
  type ReceiveEventRequest,
  type TakeKycBackRequest,
} from '@florin/proto/identity/v1/kyc_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod, userMethod } from '@florin/rpc/server';
import { describeIssue } from '@florin/rpc/validation';
import { isGenuineDelivery } from '../domain/delivery-signature.ts';
import { awaitsPerson, type KycEvent, kycEventSchema } from '../domain/kyc.ts';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './require-user.ts';
import { KYC_STATUSES } from './to-wire.ts';

const getKyc = ({ users }: Dependencies) =>
  userMethod(async (_request: GetKycRequest, { caller }) => {
    const { kycStatus, kycProfileId, kycChangedAt } = requireUser(await users.find(caller.userId));
    return {
      status: KYC_STATUSES.toValue(kycStatus),
      profileId: kycProfileId,
      ...(kycChangedAt === undefined ? {} : { changedAt: timestampFromDate(kycChangedAt) }),
    };
  });

const createKycSession = ({ users, kycSessions }: Dependencies) =>
  userMethod(async (_request: CreateKycSessionRequest, { caller }) => {
    const user = requireUser(await users.find(caller.userId));
    if (!awaitsPerson(user.kycStatus)) throw new CodedError('KYC_STATE_CONFLICT');
    const { url, expiresAt } = await kycSessions.open(user);
    return { url, expiresAt: timestampFromDate(expiresAt) };
  });

/** A page of all checks in review, by user. */
const listKycReviews = ({ kycStandings }: Dependencies) =>
  serviceMethod(async (request: ListKycReviewsRequest) => {
    const page = pageOf(request);
    const found = await kycStandings.inReview(decodeIdCursor(page.cursor), page.limit + 1);
    const { rows, nextCursor } = cutPage(found, page.limit, ({ userId }) => encodeIdCursor(userId));
    return { reviews: rows.map(({ since, ...review }) => ({ ...review, since: timestampFromDate(since) })), page: { nextCursor } };
  });

const takeKycBack = ({ takeBack }: Dependencies) =>
  serviceMethod(async (request: TakeKycBackRequest, call) => {
    const { requestId, userId } = request;
    return { status: KYC_STATUSES.toValue(await takeBack({ requestId, userId }, call)) };
  });

const MAX_BODY_BYTES = 64 * 1024;

/** Reads the event in a delivery. @throws CodedError VALIDATION_FAILED */
const readEvent = (body: unknown): KycEvent => {
  const read = kycEventSchema.safeParse(body, { error: describeIssue });
  if (read.success) return read.data;
  requireFields(Object.fromEntries(read.error.issues.map(({ path, message }) => [path.join('.') || 'body', message])));
  throw read.error;
};

const parseJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new CodedError('VALIDATION_FAILED', { message: 'body: must be JSON' });
  }
};

/** Verifies the signature of a delivery before reading its body. */
const receiveEvent = ({ receiveKycEvent, kycWebhookSecret, runtime }: Dependencies) =>
  serviceMethod(async ({ body, signature }: ReceiveEventRequest, call) => {
    const isGenuine =
      kycWebhookSecret !== undefined &&
      body.length <= MAX_BODY_BYTES &&
      isGenuineDelivery({ body, header: signature }, kycWebhookSecret, runtime.now());
    if (!isGenuine) throw new CodedError('INVALID_SIGNATURE');
    return { applied: await receiveKycEvent(readEvent(parseJson(body)), call) };
  });

/** Implementation of the contract `KycService`. */
export const kycService = (dependencies: Dependencies): ServiceImplementation =>
  implement(KycService, {
    getKyc: getKyc(dependencies),
    createKycSession: createKycSession(dependencies),
    listKycReviews: listKycReviews(dependencies),
    takeKycBack: takeKycBack(dependencies),
    receiveEvent: receiveEvent(dependencies),
  });
