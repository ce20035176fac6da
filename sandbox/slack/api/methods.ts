/** The methods that the sandbox has, from the file of each family. */
import { authTeamsList, authTest } from './auth.ts';
import * as chat from './chat.ts';
import * as conversations from './conversations.ts';
import * as history from './history.ts';
import type { ApiMethod } from './method.ts';
import * as users from './users.ts';
import * as views from './views.ts';

const FAMILIES: Record<string, ApiMethod>[] = [
  { authTeamsList, authTest },
  chat,
  conversations,
  history,
  users,
  views,
];

export const METHODS: ReadonlyMap<string, ApiMethod> = new Map(
  FAMILIES.flatMap((family) => Object.values(family)).map((each) => [each.name, each]),
);
