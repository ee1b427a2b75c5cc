import { useEffect, useState } from 'react';
import { secondsLeft, untilNextSecond } from '../format/time-left.ts';

/** Whole seconds until a time of the platform; draws anew when they change. @param offsetMs how far the platform's clock is ahead */
export const useCountdown = (expiresAt: string, offsetMs: number): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const wait = untilNextSecond(expiresAt, offsetMs, now);
    if (wait === 0) return;
    const timer = setTimeout(() => setNow(Date.now()), wait);
    return () => clearTimeout(timer);
  }, [expiresAt, offsetMs, now]);
  return secondsLeft(expiresAt, offsetMs, now);
};
