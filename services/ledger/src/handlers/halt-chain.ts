import type { HaltChainRequest, ResumeChainRequest } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ chainId: z.number().int().positive() });

/** Stops the spending of a chain's tokens. */
export const haltChain = ({ haltedChains }: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.haltChains, async (request: HaltChainRequest) => {
    await haltedChains.halt(parseRequest(requestSchema, request).chainId);
    return {};
  });

/** Lets a chain's tokens be spent again. */
export const resumeChain = ({ haltedChains }: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.haltChains, async (request: ResumeChainRequest) => {
    await haltedChains.resume(parseRequest(requestSchema, request).chainId);
    return {};
  });
