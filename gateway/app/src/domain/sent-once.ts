/** An order that can be submitted again: it is then the same one. */
type Prepared<Signer> = { submit: (signer: Signer) => Promise<unknown> };

/** Statuses that say nothing of the order: who asks has to sign in first, may not ask at the moment, or too often. */
const BEFORE_THE_ORDER: ReadonlySet<unknown> = new Set([401, 403, 408, 429]);

/** Reports whether an order may have been carried out, or still be: no answer came, none of the platform's own, or none about the order. */
const isUndecided = (error: unknown): boolean => {
  const { name, status, code } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  if (name !== 'FlorinError' || typeof status !== 'number') return false;
  return status < 400 || status >= 500 || BEFORE_THE_ORDER.has(status) || code === 'IDEMPOTENCY_IN_PROGRESS';
};

/**
 * Sends orders. Until one was carried out or refused, the same content submits the same order again, so that a person who presses again
 * after a lost answer pays once.
 * @param prepare makes an order of its content
 */
export const createSentOnce = <Content, Signer>(prepare: (content: Content) => Promise<Prepared<Signer>>) => {
  let open: { content: string; prepared: Prepared<Signer> } | undefined;
  return async (content: Content, signer: Signer): Promise<void> => {
    const text = JSON.stringify(content);
    if (open?.content !== text) open = { content: text, prepared: await prepare(content) };
    try {
      await open.prepared.submit(signer);
      open = undefined;
    } catch (error) {
      if (!isUndecided(error)) open = undefined;
      throw error;
    }
  };
};
