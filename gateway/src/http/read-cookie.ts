/** @returns the value of a cookie; undefined without one, and with several: somebody else has set another one */
export const readCookie = (header: string | undefined, name: string): string | undefined => {
  const values = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
};
