/** A result as text, by which results of two nodes are compared. */
const textOf = (value: unknown): string => JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}` : part));

/**
 * The result that all nodes returned.
 * @param what names the result in an error
 * @throws Error when two differ, or when there is no node
 */
export const sameOfAll = async <N, T>(nodes: readonly N[], what: string, ask: (node: N) => Promise<T>): Promise<T> => {
  if (nodes.length === 0) throw new Error('a chain must have a node');
  const results = await Promise.all(nodes.map(ask));
  if (results.length > 1 && new Set(results.map(textOf)).size !== 1) throw new Error(`the nodes disagree about ${what}`);
  return results[0] as T;
};
