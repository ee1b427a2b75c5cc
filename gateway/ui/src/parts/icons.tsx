import type { ReactNode } from 'react';

/** A line icon on a grid of 24. Icons are decoration: the text beside them, or the label of the control, says what they mean. */
export const icon = (paths: ReactNode) => () => (
  <svg
    viewBox="0 0 24 24"
    width="24"
    height="24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {paths}
  </svg>
);

export const HomeIcon = icon(<path d="M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z" />);
export const CardIcon = icon(
  <>
    <rect x="3" y="5.5" width="18" height="13" rx="2.5" />
    <path d="M3 10h18M7 15h3" />
  </>,
);
export const ListIcon = icon(<path d="M4 7h11M4 12h16M4 17h8M19 5v4M17 7h4" />);
export const AccountIcon = icon(<path d="M4 10l8-5 8 5M6 10v7M10 10v7M14 10v7M18 10v7M4 20h16" />);
export const ShieldIcon = icon(<path d="M12 3.5l7 2.5v5.5c0 4.2-2.8 7.4-7 9-4.2-1.6-7-4.8-7-9V6zM9 12l2.2 2.2L15.2 10" />);
export const CloseIcon = icon(<path d="M6 6l12 12M18 6L6 18" />);
export const BackIcon = icon(<path d="M14.5 6l-6 6 6 6" />);
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />);
export const OutIcon = icon(<path d="M7 17L17 7M9 7h8v8" />);
export const InIcon = icon(<path d="M17 7L7 17M15 17H7V9" />);
export const GearIcon = icon(
  <>
    <circle cx="12" cy="12" r="3" />
    <path d="M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M18.4 5.6l-2.2 2.2M7.8 16.2l-2.2 2.2" />
  </>,
);
export const FlaskIcon = icon(
  <path d="M9.5 3.5h5M10.5 3.5v6L5 18.5a1.5 1.5 0 0 0 1.3 2.2h11.4a1.5 1.5 0 0 0 1.3-2.2l-5.5-9v-6M7.8 15h8.4" />,
);
export const WalletIcon = icon(
  <path d="M4 7.5A2.5 2.5 0 0 1 6.5 5H17v3M4 7.5V17a2 2 0 0 0 2 2h13a1 1 0 0 0 1-1V9a1 1 0 0 0-1-1H5M16.5 13.5h.01" />,
);
export const SnowIcon = icon(<path d="M12 3v18M4.2 7.5l15.6 9M4.2 16.5l15.6-9M9.5 4.5L12 7l2.5-2.5M9.5 19.5L12 17l2.5 2.5" />);
export const EyeIcon = icon(
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
    <circle cx="12" cy="12" r="2.75" />
  </>,
);
export const PeopleIcon = icon(
  <path d="M9 11a3.25 3.25 0 1 0 0-6.5A3.25 3.25 0 0 0 9 11zM3 19.5a6 6 0 0 1 12 0M15.5 4.8a3.25 3.25 0 0 1 0 5.9M17.5 14a6 6 0 0 1 3.5 5.5" />,
);
export const WarningIcon = icon(<path d="M12 4L21 19.5H3zM12 10v4.5M12 17h.01" />);
export const BookIcon = icon(<path d="M5 5.5A1.5 1.5 0 0 1 6.5 4H19v16H6.5A1.5 1.5 0 0 1 5 18.5zM5 17h14M9 8h6" />);
export const LinkIcon = icon(
  <path d="M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1.2 1.2M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2" />,
);
export const PartnersIcon = icon(<path d="M4 20V9l5 3V9l5 3V5h6v15zM8 16h.01M12 16h.01M16 16h.01" />);
export const LogIcon = icon(<path d="M6 3.5h9L18.5 7v13.5H6zM9 11h6.5M9 15h6.5" />);

/** The coin with the lily, which the florin was named after. */
export const Logo = () => (
  <svg viewBox="0 0 28 28" width="28" height="28" aria-hidden="true">
    <circle cx="14" cy="14" r="13" fill="currentColor" />
    <path
      d="M14 5.5c1.7 2 2.2 3.7 1.5 6.2 1.2-1.8 3.6-2.2 4.9-.7 1.2 1.5.3 3.7-1.6 3.8-.2-.9-.9-1.3-1.7-1-.6.3-1 .9-1.2 1.7h2.6v1.6h-2.7c.1 1.9.6 3.3 1.7 4.9h-7c1.1-1.6 1.6-3 1.7-4.9H9.5v-1.6h2.6c-.2-.8-.6-1.4-1.2-1.7-.8-.3-1.5.1-1.7 1-1.9-.1-2.8-2.3-1.6-3.8 1.3-1.5 3.7-1.1 4.9.7-.7-2.5-.2-4.2 1.5-6.2z"
      fill="var(--paper)"
    />
  </svg>
);
