export { DEADLOCK, findOutOfSpace, toCodedError } from './classify.ts';
export { CodedError, type CodedErrorOptions } from './coded-error.ts';
export { ERRORS, type ErrorCode, isErrorCode } from './codes.ts';
export { codeOfHttpStatus, fromErrorBody, httpStatusOf, toErrorBody } from './connect-json.ts';
export { isUnreachable } from './connection-fault.ts';
export { errorInfoOf, fromWire, isAnswer, PROTOCOL_CODES, toWire } from './wire.ts';
