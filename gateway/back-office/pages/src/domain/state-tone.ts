export type Tone = 'plain' | 'good' | 'warn' | 'bad';

const STATES: Readonly<Record<Exclude<Tone, 'plain'>, readonly string[]>> = {
  good: ['active', 'approved', 'settled', 'booked', 'resolved', 'completed', 'serving', 'watching', 'enabled'],
  warn: [
    'pending',
    'processing',
    'frozen',
    'in-review',
    'provisioning',
    'waiting',
    'open',
    'retrying',
    'documents-requested',
    'late',
    'requested',
    'executable',
  ],
  bad: ['blocked', 'rejected', 'declined', 'failed', 'lost', 'stolen', 'halted', 'not-serving', 'unreachable'],
};

/** How a state of the platform looks: what works, what somebody has to look at, and what has gone wrong. Other states are plain. */
export const toneOf = (state: string): Tone =>
  (Object.keys(STATES) as (keyof typeof STATES)[]).find((tone) => STATES[tone].includes(state)) ?? 'plain';
