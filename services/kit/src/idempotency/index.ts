export { hashInput } from './hash-input.ts';
export { createReservations, type Reservations } from './reservations.ts';
