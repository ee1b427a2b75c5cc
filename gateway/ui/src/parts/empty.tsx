import type { ReactNode } from 'react';

/** The text of an empty list: why it is empty, and what to do. */
export const Empty = ({ icon, title, hint, children }: { icon: ReactNode; title: string; hint?: string; children?: ReactNode }) => (
  <div className="empty">
    {icon}
    <div className="stack-tight">
      <p className="strong">{title}</p>
      {hint === undefined ? null : <p>{hint}</p>}
    </div>
    {children}
  </div>
);
