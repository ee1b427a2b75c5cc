import type { ListTokensRequest } from '@florin/proto/ledger/v1/balance_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

const HOUR_MS = 3_600_000;

/** The configured tokens. */
export const listTokens = ({ assets, approval }: Dependencies) =>
  serviceMethod((_request: ListTokensRequest) => ({
    tokens: assets.tokens.map(({ symbol, decimals, currency, chainId }) => ({
      symbol,
      decimals,
      currency,
      chainId,
      approvalAbove: String(approval.limitOf(symbol)),
      approvalWindowHours: approval.windowMs / HOUR_MS,
    })),
  }));
