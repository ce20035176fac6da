import { SlackError } from '../slack-error.ts';
import type { Channel, Installation } from '../world/types.ts';

/** Refuses unless the app holds one of the scopes. */
export function requireScope(app: Installation, ...anyOf: readonly string[]): void {
  if (anyOf.length === 0 || anyOf.some((scope) => app.scopes.includes(scope))) return;
  throw new SlackError('missing_scope', { needed: anyOf.join(','), provided: app.scopes.join(',') });
}

/** The scope that reading or the history of a kind of channel needs. */
export function channelScope(kind: Channel['kind'], what: 'read' | 'history'): string {
  const family = { public: 'channels', private: 'groups', im: 'im' }[kind];
  return `${family}:${what}`;
}
