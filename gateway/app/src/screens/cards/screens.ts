export { CardLimitsScreen } from './card-limits-screen.tsx';
export { CardScreen } from './card-screen.tsx';
export { Cards, OrderAnotherCard } from './cards.tsx';
