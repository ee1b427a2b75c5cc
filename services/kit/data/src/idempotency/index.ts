export { createReservations, type Reservations } from './reservations.ts';
