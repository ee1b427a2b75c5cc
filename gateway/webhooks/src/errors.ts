/**
 * Codes of this package. Of configuration: `SECRET_INVALID`, `KEY_INVALID`, `ENDPOINT_INVALID`, `TOLERANCE_INVALID`. Of a delivery, which is to be rejected with 400: `HEADER_MISSING`, `HEADER_INVALID`,
 * `TIMESTAMP_TOO_OLD`, `TIMESTAMP_TOO_NEW`, `SIGNATURE_INVALID`, `BODY_INVALID`, `ENDPOINT_MISMATCH`. To be answered with 503, so that the delivery is repeated: `KEYS_UNAVAILABLE`. Of a
 * feed: `EVENT_CONFLICT`, `TOO_MANY_AHEAD`.
 */
export type WebhookErrorCode =
  | 'SECRET_INVALID'
  | 'KEY_INVALID'
  | 'ENDPOINT_INVALID'
  | 'TOLERANCE_INVALID'
  | 'KEYS_UNAVAILABLE'
  | 'HEADER_MISSING'
  | 'HEADER_INVALID'
  | 'TIMESTAMP_TOO_OLD'
  | 'TIMESTAMP_TOO_NEW'
  | 'SIGNATURE_INVALID'
  | 'BODY_INVALID'
  | 'ENDPOINT_MISMATCH'
  | 'EVENT_CONFLICT'
  | 'TOO_MANY_AHEAD';

/** The only error that this package throws. The message contains no secret and nothing of the delivery. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
