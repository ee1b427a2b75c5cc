import { processEnvironment } from '@florin/rpc/config';
import type { ApiClient } from './api-client.ts';
import { openCheckedApi } from './checked-api.ts';
import { fromManyAddresses } from './customer-address.ts';
import { startPlatformInProcess } from './platform-in-process.ts';

/** The environment variable with the address of a deployed platform. */
export const PLATFORM_URL = 'PLATFORM_URL';

/** A platform as its users see it. */
export type Platform = { url: string; api: ApiClient; close: () => Promise<void> };

/**
 * Opens the platform for tests that need nothing but REST: the deployed one of `PLATFORM_URL`, a sandbox whose gateway trusts the addresses that a
 * proxy states; otherwise one in this process with `inProcess`. Every response is checked against the OpenAPI document.
 */
export const openPlatform = async (inProcess?: Parameters<typeof startPlatformInProcess>[1]): Promise<Platform> => {
  const url = processEnvironment()[PLATFORM_URL];
  if (url === undefined) return startPlatformInProcess({}, inProcess);
  const { api } = await openCheckedApi(url);
  return { url, api: fromManyAddresses(api), close: () => Promise.resolve() };
};
