import type { Deposit } from '@florin/back-office/contract';

/** Returns true if a deposit was decided against the result of its screening. A screening that holds it or has no result leaves the decision to a person. */
export const isOverruled = ({ status, screening }: Pick<Deposit, 'status' | 'screening'>): boolean => {
  if (status === 'pending') return false;
  // A deposit that was reversed had been approved.
  return screening?.result === (status === 'rejected' ? 'approve' : 'reject');
};
