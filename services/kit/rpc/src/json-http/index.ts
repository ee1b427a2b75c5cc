export { createJsonHttp, type JsonHttp } from './json-http.ts';
