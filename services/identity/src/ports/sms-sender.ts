/** A text message with a code in it. */
export type TextMessage = {
  /** E.164. */
  to: string;
  text: string;
  code: string;
};

/** Submits text messages. Rejects when a message was not accepted. The text of the rejection is for logs. */
export type SmsSender = { send: (message: TextMessage) => Promise<void> };
