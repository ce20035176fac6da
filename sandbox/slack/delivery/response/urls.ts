import { randomBytes } from 'node:crypto';
import { SlackError } from '../../slack-error.ts';
import type { ResponseUrl } from '../../world/types.ts';
import type { World } from '../../world/world.ts';

/** Slack's limits: five answers within half an hour. */
const MAX_USES = 5;
const LIFETIME_MS = 30 * 60_000;

/** Creates a response_url. @returns its path */
export function createResponseUrl(
  world: World,
  given: Pick<ResponseUrl, 'team_id' | 'channel' | 'user' | 'original'>,
  family: 'commands' | 'actions' | 'app',
): string {
  const path = `/${family}/${given.team_id}/${world.responseUrls.size + 1}/${randomBytes(12).toString('hex')}`;
  world.responseUrls.set(path, { ...given, path, uses: 0, expires_at: world.now() + LIFETIME_MS });
  return path;
}

/** Uses a response_url once. The error codes are those that apps report; no page of Slack lists them. */
export function takeResponseUrl(world: World, path: string): ResponseUrl {
  const found = world.responseUrls.get(path);
  if (!found) throw new SlackError('no_service');
  if (world.now() > found.expires_at) throw new SlackError('expired_url');
  if (found.uses >= MAX_USES) throw new SlackError('used_url');
  found.uses += 1;
  return found;
}
