/** What the bot asks for when it is installed; manifest.yml says why each, and is held against this by a test. */
export const SCOPES: string[] = [
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
