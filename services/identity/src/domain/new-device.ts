/** A user agent without the numbers of versions, which every update changes. */
const familyOf = (userAgent = ''): string => userAgent.replaceAll(/[\d._]+/g, '');

/**
 * Reports whether a sign-in is on a device on which none of the wallet's other sessions is. Devices are told apart by what sessions store anyway: whoever
 * imitates the user agent goes unnoticed, and is only in the list of sessions.
 */
export const isNewDevice = (userAgent: string | undefined, sessions: readonly { userAgent?: string | undefined }[]): boolean =>
  sessions.every((session) => familyOf(session.userAgent) !== familyOf(userAgent));
