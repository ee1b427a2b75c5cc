/** A response of the gateway. `body` is parsed if it is JSON, otherwise it is the text. */
export type Answer = { method: string; path: string; status: number; headers: Headers; body: unknown };
