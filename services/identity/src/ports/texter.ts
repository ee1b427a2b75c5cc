/** A text message with a code in it. */
export type TextMessage = {
  /** E.164. */
  to: string;
  text: string;
  code: string;
};

/** Hands text messages over. Rejects when one was not accepted; the text of the rejection is for logs. */
export type Texter = { send: (message: TextMessage) => Promise<void> };
