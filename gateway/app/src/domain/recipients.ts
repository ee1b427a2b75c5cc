/** The most addresses that are offered. */
const MAX = 5;

type Sent = { to?: string | undefined; status: string; processingAt?: string | undefined };

/**
 * The addresses that the person has withdrawn to before, the latest first: those of completed withdrawals that the platform has sent. What has left the Safe
 * without the platform was never processed, and a thief's address must not be offered.
 * @param withdrawals newest first
 * @param own the person's own wallet, which is offered anyway
 */
export const recipientsOf = (withdrawals: readonly Sent[], own: string | undefined): string[] => {
  const sent = withdrawals.filter(({ status, processingAt }) => status === 'completed' && processingAt !== undefined);
  const used = sent.flatMap(({ to }) => (to === undefined || to.toLowerCase() === own?.toLowerCase() ? [] : [to]));
  return [...new Set(used)].slice(0, MAX);
};
