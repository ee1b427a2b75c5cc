import type { LeaveStep } from './leave.ts';

/** The steps of leaving, as the page and the command say them. */
export const LEAVE_TEXTS: Record<LeaveStep['step'], string> = {
  deploy_safe: 'Deploy the account on the chain.',
  deploy_module: 'Deploy the module through which you leave.',
  set_up: 'Set the account up with the signature that the platform gave you.',
  request: 'Request to take the account over. The waiting time begins with it.',
  skip_expired: 'The request has expired. Clear it, and request again.',
  execute: 'The waiting time is over: take the account over.',
  wait: 'Wait, and come back after',
  free: 'The account belongs to your wallet alone. Move what it holds:',
};

/** A sentence about what cannot be moved now, to append to another one; empty if that is nothing. */
export const leftText = (left: readonly string[]): string =>
  left.length === 0 ? '' : ` What cannot be moved now is left in the Safe, or was no token: ${left.join(', ')}.`;
