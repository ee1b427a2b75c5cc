import type { Answer } from './answer.ts';
import { createDocumentCheck, type OpenApiDocument } from './answers-match-document.ts';
import { createApiClient } from './api-client.ts';
import { observedFetch } from './observed-fetch.ts';

/** A client of a gateway that checks every response against the gateway's OpenAPI document; and a `fetch` that does, for other clients. */
export const openCheckedApi = async (url: string) => {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  const { check, seen } = createDocumentCheck(document);
  const answers: Answer[] = [];
  const observe = (answer: Answer): void => {
    answers.push(answer);
    check(answer);
  };
  return { api: createApiClient(url, observe), checkedFetch: observedFetch(url, observe), document, seen, answers };
};
