/** A caller, and the end of the token that says so. */
export type Verified<C> = { caller: C; expiresAt: Date };

/** Tokens remembered per process: some megabytes at most. */
const MAX_TOKENS = 10_000;

/** A key that is withdrawn stops being honoured after at most so long. */
const MAX_AGE_MS = 60_000;

/**
 * Remembers verified tokens, because a signature check costs more than most calls that it guards. Only successes are remembered,
 * by the exact bytes of the token, never past its expiry, and for a minute at most. The oldest make room for new ones.
 */
export const rememberVerified = <C>(verify: (token: string) => Promise<Verified<C>>, now: () => Date): ((token: string) => Promise<C>) => {
  const remembered = new Map<string, { caller: C; until: number }>();
  return async (token) => {
    const time = now().getTime();
    const known = remembered.get(token);
    if (known !== undefined) {
      if (time < known.until) return known.caller;
      remembered.delete(token);
    }
    const { caller, expiresAt } = await verify(token);
    if (remembered.size >= MAX_TOKENS) {
      const oldest = remembered.keys().next().value;
      if (oldest !== undefined) remembered.delete(oldest);
    }
    remembered.set(token, { caller, until: Math.min(expiresAt.getTime(), time + MAX_AGE_MS) });
    return caller;
  };
};
