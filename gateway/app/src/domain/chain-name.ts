/** The name of a network as people write it: the platform's names are in lower case. */
export const chainName = (name: string): string => name.charAt(0).toLocaleUpperCase() + name.slice(1);
