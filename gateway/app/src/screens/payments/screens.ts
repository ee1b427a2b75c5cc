export { Approvals } from './approvals.tsx';
export { Insights } from './insights.tsx';
export { PaymentScreen } from './payment-screen.tsx';
export { Payments } from './payments.tsx';
