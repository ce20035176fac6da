/** Makes texts of the order service safe for people, the log and the database. */
import { createRedactor, type Redactor } from './redact.ts';

/** The codes of order-service-interface.md, section 7. Some of them decide, so they are never redacted. */
const CODES: ReadonlySet<string> = new Set([
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'INTERNAL_SERVER_ERROR',
  'SUB_BRANDS_NOT_FOUND',
  'OFFER_CANCELLATION_ERROR',
  'FORBIDDEN',
  'OFFER_NOT_FOUND',
]);

/**
 * @returns the text on one line, without bidirectional controls and the token, and at most `longest` characters long
 */
export type Shown = (text: string, longest: number) => string;

/** @param token the token that the service may quote; undefined if the workspace is disconnected */
export function createShown(token: string | undefined): Shown {
  const withoutToken: Redactor =
    token === undefined ? (text, longest) => text.slice(0, longest) : createRedactor(token);
  return (text, longest) => {
    if (CODES.has(text)) return text;
    // Removed before the search for the token: without these characters its parts may become adjacent.
    const line = text
      .replace(/\p{Bidi_Control}+/gu, '')
      .replace(/\p{Cc}+/gu, ' ')
      .trim();
    return withoutToken(line, longest).toWellFormed();
  };
}
