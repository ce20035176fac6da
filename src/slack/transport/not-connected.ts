/** Explains to the operator why no connection of Socket Mode was opened. */
import { webApi } from '@slack/bolt';
import { TokenRefusedError } from '../client/access.ts';

/** Slack accepts no connection, or none was possible; the message is a sentence for the operator. */
export class NotConnectedError extends Error {
  /** The wait before the next attempt, as requested by Slack. */
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Codes of apps.connections.open that make every later attempt useless (docs.slack.dev/reference/methods). */
const REFUSED_TOKENS = [
  'account_inactive',
  'invalid_auth',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'not_authed',
  'token_expired',
  'token_revoked',
];

export function whyNotConnected(error: unknown): NotConnectedError | TokenRefusedError {
  if (error instanceof NotConnectedError) return error;
  if (error instanceof webApi.WebAPIRateLimitedError) {
    return new NotConnectedError(
      'Slack lets no more connections be opened for now.',
      error.retryAfter * 1_000,
    );
  }
  if (error instanceof webApi.WebAPIPlatformError) {
    const code = error.data.error;
    return REFUSED_TOKENS.includes(code)
      ? new TokenRefusedError(
          `Slack does not accept SLACK_APP_TOKEN (${code}): it must be an app-level token with the scope connections:write.`,
        )
      : new NotConnectedError(`Slack opens no Socket Mode connection (${code}).`);
  }
  // The SDK rejects without a reason if the socket closed before the greeting.
  const reason = error instanceof Error ? error.message : 'the connection was closed before the greeting';
  return new NotConnectedError(`Slack could not be reached over Socket Mode: ${reason}.`);
}
