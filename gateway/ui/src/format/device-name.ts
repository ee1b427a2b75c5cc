const BROWSERS = [
  ['Firefox', /Firefox\//],
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Chrome', /Chrome\//],
  ['Safari', /Safari\//],
] as const;

const SYSTEMS = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** The everyday name of a device, for example `Firefox, Linux`; undefined for programs that are not browsers. */
export const deviceName = (userAgent: string | undefined): string | undefined => {
  const nameOf = (table: readonly (readonly [string, RegExp])[]) => table.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0];
  const parts = [nameOf(BROWSERS), nameOf(SYSTEMS)].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(', ');
};
