/** The most addresses that are offered. */
const MAX = 5;

/**
 * The addresses that the person has withdrawn to before: those of completed withdrawals, the latest first.
 * @param withdrawals newest first
 * @param own the person's own wallet, which is offered anyway
 */
export const recipientsOf = (withdrawals: readonly { to?: string | undefined; status: string }[], own: string | undefined): string[] => {
  const used = withdrawals.flatMap(({ to, status }) =>
    to === undefined || status !== 'completed' || to.toLowerCase() === own?.toLowerCase() ? [] : [to],
  );
  return [...new Set(used)].slice(0, MAX);
};
