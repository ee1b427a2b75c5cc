/** The lowest UUID v7 (RFC 9562, section 5.7) of a millisecond: ids that were made from then on are not below it, as texts. */
export const firstIdAt = (time: Date): string => {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};
