import { Pool } from 'undici';

/** Plain HTTP and JSON, with as little of the load generator's own work as possible. Everything but a 200 is thrown. */
export const openJsonClient = (baseUrl: string) => {
  const pool = new Pool(baseUrl, { connections: 64 });
  const ask = async <T>(method: 'GET' | 'POST', path: string, token: string | undefined, body?: object): Promise<T> => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const response = await pool.request({ method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const answer = await response.body.json();
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${JSON.stringify(answer)}`);
    return answer as T;
  };
  return {
    get: <T>(path: string, token?: string) => ask<T>('GET', path, token),
    post: <T>(path: string, token: string | undefined, body: object) => ask<T>('POST', path, token, body),
    close: () => pool.close(),
  };
};

export type JsonClient = ReturnType<typeof openJsonClient>;
