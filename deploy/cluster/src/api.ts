import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { createInterface } from 'node:readline';
import { API_URL } from './layout.ts';

const TIMEOUT_MS = 15_000;

/** A response of the API other than 2xx. */
class ApiError extends Error {
  readonly status: number;

  constructor(method: string, path: string, status: number, text: string) {
    super(`${method} ${path} returned ${status}: ${text.slice(0, 300)}`);
    this.name = 'ApiError';
    this.status = status;
  }
}

export type WatchEvent<T> = { type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'; object: T };

/** The API of the cluster, as its administrator. */
export type KubeApi = {
  get: <T>(path: string) => Promise<T>;
  /** Strategic merge patch. */
  patch: (path: string, body: object) => Promise<void>;
  /** @param body for deletions: options, such as `gracePeriodSeconds` */
  delete: (path: string, body?: object) => Promise<void>;
  /** Asks that a pod ends and is replaced. @returns false when a PodDisruptionBudget does not allow it now */
  evict: (namespace: string, name: string) => Promise<boolean>;
  /** Calls `onEvent` for each change from a version on. Resolves when the API ends the watch, as it does after some minutes. */
  watch: <T>(path: string, onEvent: (event: WatchEvent<T>) => void, signal: AbortSignal) => Promise<void>;
};

/** @param authority file with the certificate of the API server */
export const createKubeApi = (authority: string, token = 'admin'): KubeApi => {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(authority) });
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };

  const send = async (method: string, path: string, body?: object, type = 'application/json'): Promise<string> => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = request(`${API_URL}${path}`, {
        method,
        agent,
        // Node.js does not frame the body of a DELETE by itself.
        headers: payload === undefined ? headers : { ...headers, 'content-type': type, 'content-length': Buffer.byteLength(payload) },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      sent.once('error', reject);
      sent.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(text);
          else reject(new ApiError(method, path, status, text));
        });
      });
      sent.end(payload);
    });
  };

  return {
    get: async <T>(path: string) => JSON.parse(await send('GET', path)) as T,
    patch: async (path, body) => void (await send('PATCH', path, body, 'application/strategic-merge-patch+json')),
    delete: async (path, body) => void (await send('DELETE', path, body)),
    evict: async (namespace, name) => {
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
      try {
        await send('POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, eviction);
        return true;
      } catch (error) {
        const status = error instanceof ApiError ? error.status : undefined;
        if (status === 404) return true;
        if (status === 429) return false;
        throw error;
      }
    },
    watch: <T>(path: string, onEvent: (event: WatchEvent<T>) => void, signal: AbortSignal) =>
      new Promise((resolve, reject) => {
        const sent = request(`${API_URL}${path}`, { agent, headers, signal });
        sent.once('error', reject);
        sent.once('response', (response) => {
          response.once('error', reject);
          const lines = createInterface({ input: response });
          lines.on('line', (line) => onEvent(JSON.parse(line) as WatchEvent<T>));
          lines.once('close', resolve);
        });
        sent.end();
      }),
  };
};
