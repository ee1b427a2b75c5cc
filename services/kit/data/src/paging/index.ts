export { cutPage, type Page } from './cut-page.ts';
export { cutFound, type Found, findLimitSchema } from './found.ts';
export { decodeIdCursor, encodeIdCursor } from './id-cursor.ts';
export { pageSchema } from './page-schema.ts';
export { decodeTimeCursor, encodeTimeCursor, olderThan, type TimePlace } from './time-cursor.ts';
