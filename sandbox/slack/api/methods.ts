import { appsUninstall } from './apps-uninstall.ts';
import { authRevoke, authTeamsList, authTest } from './auth.ts';
import { chatDelete, chatGetPermalink, chatUpdate } from './chat-change.ts';
import { chatPostEphemeral, chatPostMessage } from './chat-post.ts';
import {
  conversationsInfo,
  conversationsJoin,
  conversationsList,
  conversationsMembers,
} from './conversations.ts';
import { conversationsHistory, conversationsReplies } from './conversations-history.ts';
import { conversationsOpen } from './conversations-open.ts';
import type { ApiMethod } from './method.ts';
import { reactionsAdd, reactionsGet, reactionsRemove } from './reactions.ts';
import { usergroupsList, usergroupsUsersList } from './usergroups.ts';
import { usersInfo, usersList } from './users.ts';
import { viewsOpen, viewsPush, viewsUpdate } from './views.ts';

/** Every method that the sandbox has; the rest is unknown_method. */
export const METHODS: ReadonlyMap<string, ApiMethod> = new Map(
  [
    appsUninstall,
    authRevoke,
    authTeamsList,
    authTest,
    chatDelete,
    chatGetPermalink,
    chatPostEphemeral,
    chatPostMessage,
    chatUpdate,
    conversationsHistory,
    conversationsInfo,
    conversationsJoin,
    conversationsList,
    conversationsMembers,
    conversationsOpen,
    conversationsReplies,
    reactionsAdd,
    reactionsGet,
    reactionsRemove,
    usergroupsList,
    usergroupsUsersList,
    usersInfo,
    usersList,
    viewsOpen,
    viewsPush,
    viewsUpdate,
  ].map((each) => [each.name, each]),
);
