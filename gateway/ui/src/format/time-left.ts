/** How far the clock of the platform is ahead of this device's, in milliseconds. */
export const clockOffset = (serverTime: string, now: number): number => Date.parse(serverTime) - now;

/** Whole seconds until a time of the platform, at least 0. The last second counts until it is over. */
export const secondsLeft = (expiresAt: string, offsetMs: number, now: number): number =>
  Math.max(0, Math.ceil((Date.parse(expiresAt) - offsetMs - now) / 1000));

/** Seconds as minutes and seconds, for example `4:07`. */
export const formatCountdown = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Milliseconds until the number of seconds left changes, so that a display is neither late nor woken without need. */
export const untilNextSecond = (expiresAt: string, offsetMs: number, now: number): number => {
  const left = Date.parse(expiresAt) - offsetMs - now;
  return left <= 0 ? 0 : left % 1000 || 1000;
};

/** A waiting time in hours, of which the last counts until it is over. */
export const wholeHours = (seconds: number): number => Math.ceil(seconds / 3600);
