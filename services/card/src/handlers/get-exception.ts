import type { GetExceptionRequest } from '@florin/proto/card/v1/exception_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireException } from './to-wire-exception.ts';

/** Returns an exception. */
export const getException = ({ exceptions, program }: Dependencies) =>
  serviceMethod(async ({ exceptionId }: GetExceptionRequest) => {
    const exception = await exceptions.find(exceptionId);
    if (exception === undefined) throw new CodedError('EXCEPTION_NOT_FOUND');
    return { exception: toWireException(exception, program) };
  });
