/** A result as text, by which results of two nodes are compared. */
const textOf = (value: unknown): string => JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}` : part));

/** Nodes that must return the same: both of two, two of three. */
const quorumOf = (nodes: readonly unknown[]): number => {
  if (nodes.length === 0) throw new Error('a chain must have a node');
  return Math.floor(nodes.length / 2) + 1;
};

/**
 * The result that a majority of the nodes returned: all of two, two of three. Does not wait for the others.
 * @param what names the result in an error
 * @throws Error when there is none: because nodes fail, or because they differ
 */
export const sameOfAll = async <N, T>(nodes: readonly N[], what: string, ask: (node: N) => Promise<T>): Promise<T> => {
  const quorum = quorumOf(nodes);
  if (nodes.length === 1) return ask(nodes[0] as N);
  const votes = new Map<string, number>();
  const failures: unknown[] = [];
  let waiting = nodes.length;
  return new Promise((resolve, reject) => {
    const count = (): void => {
      waiting -= 1;
      if (Math.max(0, ...votes.values()) + waiting < quorum) reject(failures[0] ?? new Error(`the nodes disagree about ${what}`));
    };
    const vote = (result: T): void => {
      const text = textOf(result);
      const same = (votes.get(text) ?? 0) + 1;
      votes.set(text, same);
      if (same >= quorum) resolve(result);
    };
    for (const node of nodes) {
      void ask(node)
        .then(vote, (error: unknown) => void failures.push(error))
        .then(count);
    }
  });
};

/**
 * Returns the answers of a majority of the nodes, whatever they are.
 * @throws Error when fewer did
 */
export const answersOfMost = async <N, T>(nodes: readonly N[], ask: (node: N) => Promise<T>): Promise<T[]> => {
  const quorum = quorumOf(nodes);
  const results = await Promise.allSettled(nodes.map(ask));
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.find((result) => result.status === 'rejected');
  if (answers.length < quorum) throw failed?.reason ?? new Error('the nodes do not respond');
  return answers;
};

/** The highest block that a majority of the nodes has. @throws Error when fewer of them respond */
export const heightOfMost = async <N>(nodes: readonly N[], ask: (node: N) => Promise<number>): Promise<number> => {
  const heights = (await answersOfMost(nodes, ask)).sort((a, b) => b - a);
  return heights[quorumOf(nodes) - 1] ?? Promise.reject(new Error('the nodes do not respond'));
};
