export { cutPage, type Page } from './cut-page.ts';
export { decodeIdCursor, encodeIdCursor } from './id-cursor.ts';
export { pageSchema } from './page-schema.ts';
