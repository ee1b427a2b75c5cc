import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { BackIcon } from './icons.tsx';
import { ScreenLink } from './screen-link.tsx';

/** Leads to the screen that this one belongs to, by its name. */
export const BackLink = ({ children, ...link }: LinkProps & { children: ReactNode }) => (
  <ScreenLink {...link} className="back">
    <BackIcon />
    {children}
  </ScreenLink>
);
