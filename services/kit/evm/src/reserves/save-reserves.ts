import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';

/** A part of a proof of reserves, as the gateway returns it. */
type Part = { chainId: number; block: number; parts: number; text: string };

type Source = {
  /** Base URL of a gateway. */
  gatewayUrl: string;
  /** Undefined: the chain of the newest proof. */
  chainId: number | undefined;
};

const TIMEOUT_MS = 30_000;

/** @throws Error with the status and the code of a rejection, which is its cause too */
const readPart = async (gatewayUrl: string, query: Readonly<Record<string, number>>): Promise<Part> => {
  const url = new URL('/.well-known/proof-of-reserves', gatewayUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const body = (await response.json()) as Part & { error?: string };
  if (!response.ok) throw new Error(`the gateway rejected the request: ${response.status} ${body.error ?? ''}`, { cause: body.error });
  return body;
};

/**
 * Saves the newest proof of reserves as a file, part by part. It is not checked here.
 * @returns what it is about
 * @throws Error when the file exists, or when the gateway does not have all of it; then no file is left. Its cause is `RESERVES_NOT_FOUND` if there is no proof
 */
export const saveReserves = async ({ gatewayUrl, chainId: wanted }: Source, path: string): Promise<Omit<Part, 'text'>> => {
  const file = openSync(path, 'wx');
  try {
    const { text, ...found } = await readPart(gatewayUrl, wanted === undefined ? {} : { chainId: wanted });
    const { chainId, block, parts } = found;
    writeSync(file, text);
    for (let part = 1; part < parts; part += 1) writeSync(file, (await readPart(gatewayUrl, { chainId, block, part })).text);
    closeSync(file);
    return { chainId, block, parts };
  } catch (error) {
    closeSync(file);
    unlinkSync(path);
    throw error;
  }
};
