import type { CardTransaction } from '@florin/client';
import { AccountIcon, BookIcon, icon, LogIcon } from '@florin/ui/parts/icons.tsx';
import type { ComponentType } from 'react';
import { initialsOf } from '../../domain/avatar.ts';
import { categorySign, type Sign } from '../../i18n/categories.ts';

const ICONS: Readonly<Record<Sign, ComponentType>> = {
  groceries: icon(<path d="M4 9h16l-1.5 9.6a1 1 0 0 1-1 .9h-11a1 1 0 0 1-1-.9zM8.5 9L11 4M15.5 9L13 4" />),
  restaurants: icon(<path d="M7 3.5V8a2 2 0 0 0 4 0V3.5M9 10v10.5M17 20.5v-17c-2 .8-3 3-3 6.5v3h3" />),
  clothes: icon(<path d="M9 4L4 6.5l1.5 4 2.5-1V20h8V9.5l2.5 1 1.5-4L15 4a3 3 0 0 1-6 0z" />),
  home: icon(
    <path d="M6.5 11V8a3 3 0 0 1 3-3h5a3 3 0 0 1 3 3v3M4 12.5a1.5 1.5 0 0 1 3 0V15h10v-2.5a1.5 1.5 0 0 1 3 0V18H4zM6.5 18v2M17.5 18v2" />,
  ),
  electronics: icon(
    <path d="M5 5h14a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 19 16H5a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 5 5zM9 20h6M12 16v4" />,
  ),
  books: BookIcon,
  shops: icon(<path d="M5.5 8h13l1 12h-15zM9 10.5V7a3 3 0 0 1 6 0v3.5" />),
  transport: icon(
    <path d="M7.5 4h9A2.5 2.5 0 0 1 19 6.5v7a2.5 2.5 0 0 1-2.5 2.5h-9A2.5 2.5 0 0 1 5 13.5v-7A2.5 2.5 0 0 1 7.5 4zM5 10.5h14M8.5 13.25h.01M15.5 13.25h.01M9.5 16L8 20M14.5 16l1.5 4" />,
  ),
  travel: icon(<path d="M10.5 13.5L4 11.5l1.25-1.75 6.25.25L16 5.5c1-1 2.5-1.5 3-1s0 2-1 3L13.5 12l.25 6.5L12 20zM10.5 13.5L7 17" />),
  hotels: icon(<path d="M3.5 18.5v-12M3.5 15.5h17v3M20.5 15.5v-2a3 3 0 0 0-3-3h-7v5M7 12.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z" />),
  cars: icon(
    <path d="M4.5 16.5v-4l2-5.5A1.5 1.5 0 0 1 8 6h8a1.5 1.5 0 0 1 1.5 1l2 5.5v4zM4.5 12h15M6.5 16.5v2M17.5 16.5v2M8 14.25h.01M16 14.25h.01" />,
  ),
  fuel: icon(
    <path d="M5 20V5.5A1.5 1.5 0 0 1 6.5 4h6A1.5 1.5 0 0 1 14 5.5V20M4 20h11M5 10h9M14 12h1.5a1.5 1.5 0 0 1 1.5 1.5V16a1.5 1.5 0 0 0 3 0V8.5L17.5 6" />,
  ),
  health: icon(<path d="M9.5 4h5v5.5H20v5h-5.5V20h-5v-5.5H4v-5h5.5z" />),
  leisure: icon(<path d="M4 7.5h16v3a1.5 1.5 0 0 0 0 3v3H4v-3a1.5 1.5 0 0 0 0-3zM14 7.5v9" />),
  digital: icon(
    <path d="M8.5 3.5h7A1.5 1.5 0 0 1 17 5v14a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 19V5a1.5 1.5 0 0 1 1.5-1.5zM11 17.5h2" />,
  ),
  utilities: icon(<path d="M13 3.5L6 13.5h5l-1 7 7-10h-5z" />),
  cash: icon(
    <path d="M4.5 7h15A1.5 1.5 0 0 1 21 8.5v7a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 15.5v-7A1.5 1.5 0 0 1 4.5 7zM12 14.25a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM6.5 12h.01M17.5 12h.01" />,
  ),
  finance: AccountIcon,
  charity: icon(<path d="M12 20S4 15 4 9.5A4 4 0 0 1 12 8a4 4 0 0 1 8 1.5C20 15 12 20 12 20z" />),
  authorities: LogIcon,
  services: icon(
    <path d="M14 6.5a4 4 0 0 1 5-1.5l-2.5 2.5 1 2 2 .5L21 8a4 4 0 0 1-5.5 4.5L8.5 19.5a2 2 0 0 1-3.5-3L12.5 9A4 4 0 0 1 14 6.5z" />,
  ),
};

/** The sign of a payment: that of the merchant's kind. @returns undefined where the kind is not known */
export const signOf = ({ kind, merchant: { categoryCode = '' } }: Pick<CardTransaction, 'kind' | 'merchant'>): Sign | undefined =>
  kind === 'atm' ? 'cash' : categorySign(categoryCode);

/** A sign in its colour, or the initials of a name. Decoration: the text beside it names the merchant or its kind. */
export const Face = ({ sign, name }: { sign: Sign | undefined; name: string }) => {
  const Icon = sign === undefined ? undefined : ICONS[sign];
  return (
    <span className="face" data-sign={sign} aria-hidden="true">
      {Icon === undefined ? initialsOf(name) : <Icon />}
    </span>
  );
};
