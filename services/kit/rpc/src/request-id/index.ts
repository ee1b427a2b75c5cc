export { REQUEST_ID_HEADER, requestIdFrom } from './request-id.ts';
