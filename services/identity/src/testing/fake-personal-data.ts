import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { PersonalDataClient } from '../clients/personal-data.ts';

/** The other services as an erasure uses them. Their records last until the test ends. */
export const createFakePersonalData = () => {
  const closed = new Set<string>();
  const erased = new Set<string>();
  /** Refusals by user: of the check, or of closing the account. */
  const refusals = new Map<string, { check?: ErrorCode; close?: ErrorCode }>();
  const refuse = (code: ErrorCode | undefined): void => {
    if (code !== undefined) throw new CodedError(code);
  };
  const client: PersonalDataClient = {
    check: async (userId) => refuse(refusals.get(userId)?.check),
    closeAccount: async (userId, includeBlocked) => {
      const code = refusals.get(userId)?.close;
      if (!closed.has(userId) && !(code === 'USER_IS_BLOCKED' && includeBlocked)) refuse(code);
      closed.add(userId);
    },
    eraseElsewhere: async (userId) => {
      if (!closed.has(userId)) throw new Error('the account must be closed first');
      erased.add(userId);
    },
  };
  return { client, closed, erased, refusals };
};
