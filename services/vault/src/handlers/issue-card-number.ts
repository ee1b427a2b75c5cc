import type { IssueCardNumberRequest } from '@florin/proto/vault/v1/card_number_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toFace } from './to-face.ts';

/** Creates the number of a card. */
export const issueCardNumber = ({ numbers }: Dependencies) =>
  serviceMethod(async (request: IssueCardNumberRequest) => ({
    face: toFace(await numbers.issue(request)),
  }));
