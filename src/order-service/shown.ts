/** Prepares what the order service wrote for people, the log and the database. */
import { createRedactor } from './redact.ts';

/** The codes of order-service-interface.md, section 7. Some of them decide, so they stay whatever the token is. */
const CODES: ReadonlySet<string> = new Set([
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'INTERNAL_SERVER_ERROR',
  'SUB_BRANDS_NOT_FOUND',
  'OFFER_CANCELLATION_ERROR',
  'FORBIDDEN',
  'OFFER_NOT_FOUND',
]);

/** @returns the text on one line and in its own direction, without the token, and no longer than `longest` */
export type Shown = (text: string, longest: number) => string;

/** @param token that the service knows, and may quote; undefined where the workspace is disconnected */
export function createShown(token: string | undefined): Shown {
  const withoutToken = token === undefined ? (text: string) => text : createRedactor(token);
  return (text, longest) => {
    if (CODES.has(text)) return text;
    // Before the token is looked for: without these marks, its parts may come together.
    const line = text
      .replace(/\p{Bidi_Control}+/gu, '')
      .replace(/\p{Cc}+/gu, ' ')
      .trim();
    return withoutToken(line).slice(0, longest).toWellFormed();
  };
}
