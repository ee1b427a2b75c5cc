/** A state in a word. The words say it; the colour only helps. */
export const Badge = ({ tone = 'plain', children }: { tone?: 'plain' | 'good' | 'warn' | 'bad'; children: string }) => (
  <span className={tone === 'plain' ? 'badge' : `badge badge-${tone}`}>{children}</span>
);
