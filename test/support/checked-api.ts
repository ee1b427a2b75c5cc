import type { Answer } from './answer.ts';
import { createDocumentCheck, type OpenApiDocument } from './answers-match-document.ts';
import { createApiClient } from './api-client.ts';

/** A client of a gateway that checks every response against the gateway's OpenAPI document. */
export const openCheckedApi = async (url: string) => {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  const { check, seen } = createDocumentCheck(document);
  const answers: Answer[] = [];
  const api = createApiClient(url, (answer) => {
    answers.push(answer);
    check(answer);
  });
  return { api, document, seen, answers };
};
