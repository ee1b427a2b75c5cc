import {
  AuthenticationService,
  type ConsumeAuthenticationRequest,
  type FindAuthenticationRequest,
  type ReleaseAuthenticationRequest,
} from '@florin/proto/threeds/v1/authentication_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import { valueHashOf } from '../domain/authentication-value.ts';
import type { Dependencies } from './dependencies.ts';

/** Returns the challenge that an authorization names by what it has of it. */
const findAuthentication = ({ challenges }: Dependencies) =>
  serviceMethod(async (request: FindAuthenticationRequest) => {
    const { cardId, acsTransactionId: reference, dsTransactionId, authenticationValue } = request;
    const names = {
      ...(reference === '' ? {} : { reference }),
      ...(dsTransactionId === '' ? {} : { dsTransactionId }),
      ...(authenticationValue === '' ? {} : { valueHash: valueHashOf(authenticationValue) }),
    };
    requireFields({ ds_transaction_id: Object.keys(names).length === 0 ? 'or another name of the authentication is required' : undefined });
    const found = await challenges.findNamed({ cardId, ...names });
    if (found === undefined) throw new CodedError('CHALLENGE_NOT_FOUND');
    return { challengeId: found.id };
  });

/** Uses an approval up for a request of a payment. */
const consumeAuthentication = ({ challenges, consumptions, runtime }: Dependencies) =>
  serviceMethod(async ({ $typeName: _type, challengeId, amount, approvedBefore, ...rest }: ConsumeAuthenticationRequest) => {
    const presented = { ...rest, amount: BigInt(amount), approvedBefore: BigInt(approvedBefore || '0') };
    const challenge = await challenges.get(challengeId, runtime.now());
    if (!(await consumptions.consume(challenge.id, presented, runtime.now()))) {
      throw new CodedError('AUTHENTICATION_NOT_USABLE');
    }
    return {};
  });

/** Gives back what a declined request has used up. */
const releaseAuthentication = ({ consumptions }: Dependencies) =>
  serviceMethod(async ({ challengeId, paymentId, requestId }: ReleaseAuthenticationRequest) => {
    await consumptions.release(challengeId, { paymentId, requestId });
    return {};
  });

/** Implementation of the contract `AuthenticationService`. */
export const authenticationService = (dependencies: Dependencies): ServiceImplementation =>
  implement(AuthenticationService, {
    findAuthentication: findAuthentication(dependencies),
    consumeAuthentication: consumeAuthentication(dependencies),
    releaseAuthentication: releaseAuthentication(dependencies),
  });
