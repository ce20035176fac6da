/** The scopes that the bot requests. manifest.yml explains each, and a test compares the two. */
export const SCOPES: string[] = [
  'app_mentions:read',
  'channels:history',
  'channels:join',
  'channels:read',
  'chat:write',
  'commands',
  'groups:history',
  'groups:read',
  'im:history',
  'im:write',
  'reactions:read',
  'usergroups:read',
  'users:read',
];
