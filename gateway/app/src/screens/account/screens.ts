export { Account } from './account.tsx';
export { Deposit } from './deposit.tsx';
export { Withdraw } from './withdraw.tsx';
