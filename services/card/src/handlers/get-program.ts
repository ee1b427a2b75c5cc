import type { GetProgramRequest } from '@florin/proto/card/v1/card_service';
import { publicMethod } from '@florin/rpc/server';
import { MAX_LIVE_CARDS } from '../domain/cardholder.ts';
import { LIMIT_NAMES } from '../domain/limits.ts';
import type { Dependencies } from './dependencies.ts';

/** Returns the rules of the card program that users meet. */
export const getProgram = ({ program, phoneVerification }: Dependencies) =>
  publicMethod((_request: GetProgramRequest) => ({
    phoneVerified: phoneVerification === 'required',
    currency: program.currency,
    token: program.token.symbol,
    maxCards: MAX_LIVE_CARDS,
    limits: Object.fromEntries(LIMIT_NAMES.map((name) => [name, program.limits[name]?.toString() ?? ''])),
  }));
