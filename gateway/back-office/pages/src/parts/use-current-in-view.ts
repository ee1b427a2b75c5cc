import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/**
 * For a row of links that is wider than a phone: the link of the screen that is shown is in the middle of it, and where that is not possible, as near to it as can be. Only the row
 * is scrolled, never the page.
 */
export const useCurrentInView = (): RefObject<HTMLElement | null> => {
  // Another screen is another current link.
  useLocation();
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current: element } = row;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      const link = element.querySelector('[aria-current="page"]')?.getBoundingClientRect();
      if (link === undefined) return;
      const { left, width } = element.getBoundingClientRect();
      element.scrollLeft += link.left + link.width / 2 - (left + width / 2);
    });
    observer.observe(element);
    return () => observer.disconnect();
  });
  return row;
};
