import { randomBytes } from 'node:crypto';
import { SlackError } from '../slack-error.ts';
import type { OAuthCode } from '../world/types.ts';
import type { World } from '../world/world.ts';

/** Slack's limit: a code is valid for ten minutes, and once. */
const LIFETIME_MS = 10 * 60_000;

/** Creates a code. */
export function createCode(
  world: World,
  given: Pick<OAuthCode, 'team_id' | 'user' | 'scopes' | 'redirect_uri'>,
): string {
  const code = `${world.oauthCodes.size + 1}.${randomBytes(32).toString('hex')}`;
  world.oauthCodes.set(code, { ...given, code, expires_at: world.now() + LIFETIME_MS, is_used: false });
  return code;
}

/** Uses a code up. The redirect_uri must be that of the authorize request. */
export function takeCode(world: World, code: string, redirect_uri: string | undefined): OAuthCode {
  const found = world.oauthCodes.get(code);
  if (!found) throw new SlackError('invalid_code');
  if (found.is_used) throw new SlackError('code_already_used');
  if (world.now() > found.expires_at) throw new SlackError('invalid_code');
  if (found.redirect_uri !== redirect_uri) throw new SlackError('bad_redirect_uri');
  found.is_used = true;
  return found;
}
