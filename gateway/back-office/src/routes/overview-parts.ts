/** A count of a service; zero when it could not be read. */
export const numberOf = (count: bigint | undefined): number => Number(count ?? 0n);

/** Reads parts of an overview. A part that cannot be read is named in `unavailable`, and does not hide the others. */
export const createParts = () => {
  const unavailable: string[] = [];
  const part = async <T>(name: string, reading: Promise<T> | undefined): Promise<T | undefined> => {
    try {
      return await reading;
    } catch {
      unavailable.push(name);
      return undefined;
    }
  };
  return { part, unavailable };
};
