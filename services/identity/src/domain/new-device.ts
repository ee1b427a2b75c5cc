export type SignIn = { createdAt: Date; userAgent?: string | undefined };

/** Time in which one sign-in on a new device is told at most: whoever changes the user agent at will sends no flood of mails. */
export const QUIET_MS = 10 * 60_000;

/** Shorter than a user agent without its versions that was cut: where it is cut depends on the length of the versions. */
const FAMILY_LENGTH = 160;

/** The beginning of a user agent without the numbers of versions, which every update changes. */
const familyOf = (userAgent = ''): string => userAgent.replaceAll(/[\d._]+/g, '').slice(0, FAMILY_LENGTH);

/**
 * Reports whether a sign-in is told to the user: on a device on which none of the earlier ones was, unless another one was told just before. Devices are told apart
 * by what sessions store anyway: whoever imitates the user agent goes unnoticed, and is only in the list of sessions.
 * @param earlier oldest first. The oldest may be that of the registration, so it is not taken for told
 */
export const isNewDevice = (signIn: SignIn, earlier: readonly SignIn[]): boolean => {
  const [oldest, ...others] = [...earlier, signIn];
  if (oldest === signIn) return true;
  const known = new Set([familyOf(oldest?.userAgent)]);
  let toldAt = Number.NEGATIVE_INFINITY;
  let isTold = false;
  for (const { createdAt, userAgent } of others) {
    const family = familyOf(userAgent);
    isTold = !known.has(family) && createdAt.getTime() - toldAt >= QUIET_MS;
    if (isTold) toldAt = createdAt.getTime();
    known.add(family);
  }
  return isTold;
};
