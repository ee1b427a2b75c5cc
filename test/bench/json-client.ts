import { Pool } from 'undici';

/** Opens a client for plain HTTP and JSON that adds little work of its own. It throws on every status other than 200. */
export const openJsonClient = (baseUrl: string) => {
  const pool = new Pool(baseUrl, { connections: 64 });
  const send = async <T>(method: 'GET' | 'POST', path: string, token: string | undefined, body?: object): Promise<T> => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const response = await pool.request({ method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const answer = await response.body.json();
    if (response.statusCode !== 200) throw new Error(`${path} returned ${response.statusCode}: ${JSON.stringify(answer)}`);
    return answer as T;
  };
  return {
    get: <T>(path: string, token?: string) => send<T>('GET', path, token),
    post: <T>(path: string, token: string | undefined, body: object) => send<T>('POST', path, token, body),
    close: () => pool.close(),
  };
};

export type JsonClient = ReturnType<typeof openJsonClient>;
