/** Combines several variables: how Slack reaches the bot, and where the bot is installed. */

export type Variables = Record<string, string | undefined>;

/** The way by which Slack reaches the bot: HTTP, or Socket Mode if an app-level token is set. */
export type SlackTransport = { type: 'http'; signingSecret: string } | { type: 'socket'; appToken: string };

/** The way of installation: in the one workspace of a token, or by OAuth in any number. */
export type SlackInstalling =
  | { type: 'token'; botToken: string }
  | { type: 'oauth'; clientId: string; clientSecret: string; stateSecret: string };

/** @returns the transport, or an error message */
export function slackTransport({
  SLACK_APP_TOKEN: appToken,
  SLACK_SIGNING_SECRET: signingSecret,
}: Variables): SlackTransport | string {
  if (appToken) return { type: 'socket', appToken };
  return signingSecret ? { type: 'http', signingSecret } : NO_TRANSPORT;
}

/** @returns the way of installation, or an error message */
export function slackInstalling({
  SLACK_BOT_TOKEN: botToken,
  SLACK_CLIENT_ID: clientId,
  SLACK_CLIENT_SECRET: clientSecret,
  SLACK_STATE_SECRET: stateSecret,
}: Variables): SlackInstalling | string {
  const byOAuth = clientId || clientSecret || stateSecret;
  if (botToken) return byOAuth ? BOTH_WAYS : { type: 'token', botToken };
  if (!byOAuth) return NO_INSTALLING;
  if (!clientId || !clientSecret || !stateSecret) return HALF_OAUTH;
  return { type: 'oauth', clientId, clientSecret, stateSecret };
}

const NO_INSTALLING =
  'SLACK_BOT_TOKEN is missing. Copy it from the page "OAuth & Permissions" of the app. For several workspaces, set SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_STATE_SECRET instead.';

const HALF_OAUTH =
  'SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_STATE_SECRET belong together. Copy the first two from the page "Basic Information" of the app, and make the third from 32 or more random characters.';

const BOTH_WAYS =
  'SLACK_BOT_TOKEN is for one workspace; SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_STATE_SECRET are for several. Set only the one or only the others.';

const NO_TRANSPORT =
  'SLACK_SIGNING_SECRET is missing. Copy it from the page "Basic Information" of the app. For Socket Mode, set SLACK_APP_TOKEN instead.';
