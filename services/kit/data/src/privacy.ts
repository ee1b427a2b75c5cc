import type { JsonObject } from '@bufbuild/protobuf';
import {
  type CheckErasureRequest,
  type ErasePersonalDataRequest,
  type ErasePersonalDataResponse,
  type ExportPersonalDataRequest,
  PersonalDataService,
} from '@florin/proto/privacy/v1/personal_data_service';
import { requireRecentSignIn, type ServiceCaller, type UserCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { type Call, implement, type Method, type ServiceImplementation, serviceMethod, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';

/** A place in an export: a kind of record, and the section's own position in it. */
type ExportPlace = { kind: string; after: string };

const placeSchema = z.tuple([z.string(), z.string().max(200)]);

const encodePlace = ({ kind, after }: ExportPlace): string => Buffer.from(JSON.stringify([kind, after])).toString('base64url');

const badCursor = (): CodedError => new CodedError('VALIDATION_FAILED', { message: 'cursor: must be the cursor of an earlier page' });

/** The position of a section whose records are numbered. @throws CodedError VALIDATION_FAILED */
export const numberAt = (after: string | undefined): number | undefined => {
  if (after === undefined) return undefined;
  if (!/^\d{1,15}$/.test(after)) throw badCursor();
  return Number(after);
};

/** @throws CodedError VALIDATION_FAILED unless `encodePlace` produces this text for one of the kinds */
const decodePlace = (cursor: string, kinds: readonly string[]): ExportPlace => {
  try {
    const [kind, after] = placeSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    if (kinds.includes(kind) && encodePlace({ kind, after }) === cursor) return { kind, after };
  } catch {
    // Rejected below.
  }
  throw badCursor();
};

/** One kind of record that a service stores about users. */
export type PersonalDataSection = {
  kind: string;
  /**
   * Returns at most `limit` of the user's records after a position, in the form in which they are exported: no secrets.
   * @param after position that an earlier call returned; undefined for the first records
   * @returns `next` is absent when there are no more records
   */
  page: (
    userId: string,
    page: { limit: number; after: string | undefined },
  ) => Promise<{ records: readonly object[]; next?: string | undefined }>;
};

/** A section with one record at most. */
export const singleRecord = (kind: string, find: (userId: string) => Promise<object | undefined>): PersonalDataSection => ({
  kind,
  page: async (userId) => {
    const found = await find(userId);
    return { records: found === undefined ? [] : [found] };
  },
});

export type PersonalDataParts = {
  /** The exported sections, in this order. */
  sections: readonly PersonalDataSection[];
  runtime: Pick<Runtime, 'now'>;
  /** Called before the first page that a user gets. @throws CodedError when the user gets no export */
  admit?: (call: Call<UserCaller>) => Promise<void>;
  /** @throws CodedError when something prevents the erasure */
  check?: (userId: string) => Promise<void>;
  /** Ends what the user has here and erases the user's personal data. Can be repeated. */
  erase:
    | ((userId: string, call: Call<ServiceCaller>) => Promise<void>)
    | Method<ErasePersonalDataRequest, Partial<ErasePersonalDataResponse>>;
};

const LIMIT = 100;

/** Values as in JSON: times as ISO 8601, amounts as decimal strings; absent fields are left out. */
const toJson = (value: object): JsonObject =>
  JSON.parse(JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item))) as JsonObject;

/**
 * The user that a request is about: the caller, or the one that a service names.
 * @throws CodedError VALIDATION_FAILED when a service names none; FORBIDDEN when a user names another one
 */
export const subjectOf = (userId: string, caller: UserCaller | ServiceCaller): string => {
  if (caller.kind === 'service') {
    if (userId === '') throw new CodedError('VALIDATION_FAILED', { message: 'user_id: is required with a service token' });
    return userId;
  }
  if (userId !== '' && userId !== caller.userId) throw new CodedError('FORBIDDEN');
  return caller.userId;
};

/** Reads pages of the sections, one after the other, until there is a record. */
const readPage = async (sections: readonly PersonalDataSection[], userId: string, cursor: string) => {
  const kinds = sections.map(({ kind }) => kind);
  const place = cursor === '' ? undefined : decodePlace(cursor, kinds);
  for (const { kind, page } of sections.slice(place === undefined ? 0 : kinds.indexOf(place.kind))) {
    const after = place?.kind === kind && place.after !== '' ? place.after : undefined;
    const { records, next } = await page(userId, { limit: LIMIT, after });
    const following = kinds[kinds.indexOf(kind) + 1];
    const nextPlace = next === undefined ? following && { kind: following, after: '' } : { kind, after: next };
    if (records.length === 0 && next === undefined && following !== undefined) continue;
    return {
      records: records.map((record) => ({ kind, data: toJson(record) })),
      nextCursor: nextPlace === undefined || nextPlace === '' ? '' : encodePlace(nextPlace),
    };
  }
  return { records: [], nextCursor: '' };
};

const isOfUser = (call: Call<UserCaller | ServiceCaller>): call is Call<UserCaller> => call.caller.kind === 'wallet';

/** Creates the RPCs about the personal data of a service. */
export const personalDataService = ({ sections, runtime, admit, check, erase }: PersonalDataParts): ServiceImplementation =>
  implement(PersonalDataService, {
    exportPersonalData: userOrServiceMethod(async ({ userId, cursor }: ExportPersonalDataRequest, call) => {
      const { caller } = call;
      const subject = subjectOf(userId, caller);
      if (isOfUser(call)) {
        // On each page, because a cursor can be made up.
        requireRecentSignIn(call.caller, runtime.now());
        if (cursor === '') await admit?.(call);
      }
      return readPage(sections, subject, cursor);
    }),
    checkErasure: serviceMethod(async ({ userId }: CheckErasureRequest) => {
      await check?.(userId);
      return {};
    }),
    erasePersonalData:
      typeof erase === 'function'
        ? serviceMethod(async ({ userId }: ErasePersonalDataRequest, call) => {
            await erase(userId, call);
            return {};
          })
        : erase,
  });
