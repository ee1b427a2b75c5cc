import { AuthenticationService } from '@florin/proto/threeds/v1/authentication_service';
import type { RpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';

/** An authentication that a payment presents. */
export type Presented = {
  challengeId: string;
  cardId: string;
  /** UUID of the payment that it is consumed by. */
  paymentId: string;
  /** Id of the request within the payment; a repeat succeeds. */
  requestId: string;
  /** The requested amount, in the minor unit of `currency`. */
  amount: Amount;
  /** The sum approved by the payment's decided requests, in the same unit. */
  approvedBefore: Amount;
  /** Ids of those requests. */
  decidedRequestIds: readonly string[];
  currency: string;
  /** Acquirer's id of the merchant; empty when it is not known. */
  merchantId: string;
};

/** Names of an authentication in an authorization, besides the id of its challenge; empty texts are not known. */
export type AuthenticationNames = { acsTransactionId: string; dsTransactionId: string; authenticationValue: string };

/** Cardholders' approvals at the threeds service. */
export type AuthenticationsClient = {
  /**
   * The id of the card's challenge with these names; undefined when there is none.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  find: (named: AuthenticationNames & { cardId: string }, timeoutMs: number) => Promise<string | undefined>;
  /**
   * Uses an approval up, for one payment, whose requests together are for at most its amount.
   * @returns false when it does not exist, is no approval, belongs to another card, merchant or currency, is for less, or was used by another payment
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  consume: (presented: Presented, timeoutMs: number) => Promise<boolean>;
  /**
   * Gives back what a declined request has used up, and keeps it from using the approval later. Safe to repeat.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  release: (use: Pick<Presented, 'challengeId' | 'paymentId' | 'requestId'>) => Promise<void>;
};

/** Decided requests that threeds takes; one that is left out counts with what it asked for. */
const MAX_DECIDED = 1000;

const RELEASE_TIMEOUT_MS = 2000;

/** Errors that mean that the authentication does not fit the payment. */
const UNFIT: ReadonlySet<string> = new Set(['CHALLENGE_NOT_FOUND', 'AUTHENTICATION_NOT_USABLE']);

export const createAuthenticationsClient = (channel: RpcChannel): AuthenticationsClient => {
  const client = channel.client(AuthenticationService);
  return {
    find: async (named, timeoutMs) => {
      try {
        return (await client.findAuthentication(named, { timeoutMs: Math.max(1, timeoutMs) })).challengeId;
      } catch (error) {
        if (error instanceof CodedError && error.code === 'CHALLENGE_NOT_FOUND') return undefined;
        throw error;
      }
    },

    consume: async ({ amount, approvedBefore, decidedRequestIds, ...presented }, timeoutMs) => {
      try {
        await client.consumeAuthentication(
          {
            ...presented,
            amount: amount.toString(),
            approvedBefore: approvedBefore.toString(),
            decidedRequestIds: decidedRequestIds.slice(-MAX_DECIDED),
          },
          { timeoutMs: Math.max(1, timeoutMs) },
        );
        return true;
      } catch (error) {
        if (error instanceof CodedError && UNFIT.has(error.code)) return false;
        throw error;
      }
    },

    release: async (use) => {
      await client.releaseAuthentication(use, { timeoutMs: RELEASE_TIMEOUT_MS });
    },
  };
};
