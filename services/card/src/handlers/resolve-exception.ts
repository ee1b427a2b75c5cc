import type { ResolveExceptionRequest } from '@florin/proto/card/v1/exception_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { type Exception, resolves } from '../domain/exception.ts';
import { toTokenAmount } from '../domain/program.ts';
import { actorOf } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireException } from './to-wire-exception.ts';

/** @throws CodedError unless money is moved as the exception demands: ADJUSTMENT_NOT_FOUND, ADJUSTMENT_STATE_CONFLICT, VALIDATION_FAILED */
const checkMoney = async ({ adjustments, program }: Dependencies, exception: Exception, adjustmentId: string): Promise<void> => {
  const { id: exceptionId, suspended = 0n } = exception;
  if (adjustmentId === '') {
    if (suspended === 0n) return;
    throw new CodedError('VALIDATION_FAILED', { message: 'adjustmentId: is required while an amount is in suspense' });
  }
  const expected = { exceptionId, token: program.token.symbol, suspended: toTokenAmount(program, suspended) };
  if (!resolves(await adjustments.find(adjustmentId), expected)) throw new CodedError('ADJUSTMENT_STATE_CONFLICT');
};

/** Ends an open exception. */
export const resolveException = (dependencies: Dependencies) =>
  serviceMethod(async (request: ResolveExceptionRequest, { caller }) => {
    const { exceptions, program, runtime } = dependencies;
    const { exceptionId, note, adjustmentId } = request;
    const found = await exceptions.find(exceptionId);
    if (found === undefined) throw new CodedError('EXCEPTION_NOT_FOUND');
    if (found.status === 'open') await checkMoney(dependencies, found, adjustmentId);
    const by = actorOf(caller, request.actor);
    const resolution = { by, note, at: runtime.now(), ...(adjustmentId === '' ? {} : { adjustmentId }) };
    const resolved = found.status === 'open' ? await exceptions.resolve(exceptionId, resolution) : found;
    // Of decisions that race, the first one stands.
    if ((resolved?.resolution?.adjustmentId ?? '') !== adjustmentId) throw new CodedError('EXCEPTION_STATE_CONFLICT');
    return { exception: toWireException(resolved ?? found, program) };
  });
