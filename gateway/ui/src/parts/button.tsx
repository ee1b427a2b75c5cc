import type { LinkProps } from '@tanstack/react-router';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { ScreenLink } from './screen-link.tsx';

type Look = { kind?: 'plain' | 'primary' | 'danger' | 'quiet' | 'icon'; small?: boolean; wide?: boolean };

const classOf = ({ kind = 'plain', small = false, wide = false }: Look): string =>
  ['button', kind === 'plain' ? '' : `button-${kind}`, small ? 'button-small' : '', wide ? 'button-wide' : ''].filter(Boolean).join(' ');

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> &
  Look & { /** The action runs: it shows, and further presses do nothing. */ busy?: boolean };

/** A button keeps its focus while it is busy, because a disabled button would lose it. */
export const Button = ({ kind, small, wide, busy = false, type = 'button', onClick, disabled, ...rest }: ButtonProps) => (
  <button
    {...rest}
    type={type}
    className={classOf({ ...(kind && { kind }), ...(small && { small }), ...(wide && { wide }) })}
    aria-busy={busy || undefined}
    aria-disabled={busy || disabled || undefined}
    onClick={(event) => {
      if (busy || disabled) event.preventDefault();
      else onClick?.(event);
    }}
  />
);

/** A link that looks like a button. */
export const ButtonLink = ({ kind, small, wide, children, ...link }: LinkProps & Look & { children: ReactNode }) => (
  <ScreenLink {...link} className={classOf({ ...(kind && { kind }), ...(small && { small }), ...(wide && { wide }) })}>
    {children}
  </ScreenLink>
);
