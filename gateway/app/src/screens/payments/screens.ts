export { PaymentScreen } from './payment-screen.tsx';
export { Payments } from './payments.tsx';
