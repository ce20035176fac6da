import type { HttpRequest } from '../../../lib/http/server.ts';
import { SlackError } from '../../slack-error.ts';
import type { World } from '../../world/world.ts';

/** Refuses a call that does not name the app and prove it: by HTTP Basic, or by `client_id` and `client_secret`. */
export function checkClient(
  { app }: World,
  { headers }: Pick<HttpRequest, 'headers'>,
  args: Record<string, unknown>,
): void {
  const basic = /^Basic\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const [id, secret] = basic ? readBasic(basic) : [args['client_id'], args['client_secret']];
  if (id !== app.clientId) throw new SlackError('invalid_client_id');
  if (secret !== app.clientSecret) throw new SlackError('bad_client_secret');
}

function readBasic(encoded: string): string[] {
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return [id, secret.join(':')];
}
