import { ConfigError, httpUrl, json, seconds } from '@florin/rpc/config';
import { z } from 'zod';
import { type ChainNodes, createChainNodes } from './chain-nodes.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Over http, whoever is on the path could answer for the node and sign in as any wallet. */
const isProtected = (text: string): boolean => {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || LOOPBACK.test(hostname);
};

/** One host with two paths is one node. On the loopback interface ports tell nodes apart. */
const hostOf = (text: string): string => {
  if (!URL.canParse(text)) return text;
  const { hostname, host } = new URL(text);
  return LOOPBACK.test(hostname) ? host : hostname;
};

const nodeUrl = httpUrl
  .refine((text) => !/^https?:\/\/[^/]*@/.test(text), 'must not contain a user name or password')
  .refine((text) => !URL.canParse(text) || isProtected(text), 'must be an https URL, except on the loopback interface');

/** One to three nodes by EIP-155 chain id. API keys belong in the path: credentials in a URL would appear in error messages. */
const chainUrls = z.record(
  z.string().regex(/^[1-9][0-9]{0,9}$/, 'must have EIP-155 chain ids as keys'),
  z.union([
    nodeUrl,
    z
      .array(nodeUrl)
      .min(1)
      .max(3)
      .refine((urls) => new Set(urls.map(hostOf)).size === urls.length, 'must be nodes of different hosts'),
  ]),
);

/** Configuration of a service that checks contract signatures. */
export const chainShape = {
  /**
   * JSON-RPC nodes by chain id, `{"100":["https://…","https://…"]}`, or one URL instead of the list. All nodes must give the same result
   * before a contract's signature counts, so choose independent ones, of different hosts; the chain service takes what two of three agree on. On a chain without a node, only plain wallets can sign.
   */
  CHAIN_RPC_URLS: json(chainUrls).default({}),
  /**
   * Nodes that every chain of CHAIN_RPC_URLS must have: 2 refuses to start with a chain that one lying node could speak for. Default: 2, and 1 in
   * the sandbox.
   */
  CHAIN_RPC_MIN_NODES: z.coerce.number().int().min(1).max(2).optional(),
  /**
   * Time limit of one check of a contract signature, with all its requests. It must fit within the five-second deadline of the calls
   * that depend on it.
   */
  CHAIN_RPC_TIMEOUT_MS: z.coerce.number().int().min(100).max(2000).default(2000),
  /** Maximum age of a node's newest block. An older node is behind, and may not know that an owner was removed. */
  CHAIN_RPC_MAX_AGE_SECONDS: seconds.max(86_400).default(60),
} as const;

type ChainConfig = z.output<z.ZodObject<typeof chainShape>> & { SANDBOX: boolean };

/** Returns the nodes of each configured chain. @throws ConfigError when a chain has fewer nodes than required */
export const nodeUrls = (
  config: Pick<ChainConfig, 'CHAIN_RPC_URLS' | 'CHAIN_RPC_MIN_NODES' | 'SANDBOX'>,
): Readonly<Record<string, readonly string[]>> => {
  const urls = Object.fromEntries(Object.entries(config.CHAIN_RPC_URLS).map(([id, nodes]) => [id, [nodes].flat()]));
  const required = config.CHAIN_RPC_MIN_NODES ?? (config.SANDBOX ? 1 : 2);
  for (const [id, nodes] of Object.entries(urls)) {
    if (nodes.length < required) throw new ConfigError(`CHAIN_RPC_URLS: chain ${id} must have ${required} nodes (CHAIN_RPC_MIN_NODES)`);
  }
  return urls;
};

/** Creates the nodes named by a configuration. @throws ConfigError when a chain has fewer nodes than required */
export const openChainNodes = (config: ChainConfig, now: () => Date): ChainNodes =>
  createChainNodes({
    urls: nodeUrls(config),
    timeoutMs: config.CHAIN_RPC_TIMEOUT_MS,
    maxAgeMs: config.CHAIN_RPC_MAX_AGE_SECONDS * 1000,
    now,
  });
