import { authTeamsList, authTest } from './auth.ts';
import {
  chatDelete,
  chatGetPermalink,
  chatPostEphemeral,
  chatPostMessage,
  chatUpdate,
  reactionsGet,
} from './chat.ts';
import {
  conversationsInfo,
  conversationsJoin,
  conversationsList,
  conversationsMembers,
  conversationsOpen,
  usersConversations,
} from './conversations.ts';
import { conversationsHistory, conversationsReplies } from './history.ts';
import type { ApiMethod } from './method.ts';
import { usergroupsList, usergroupsUsersList, usersInfo, usersList } from './users.ts';
import { blocksValidate, viewsOpen, viewsPublish, viewsPush, viewsUpdate } from './views.ts';

/** The methods that the sandbox has; any other is unknown_method. */
export const METHODS: ReadonlyMap<string, ApiMethod> = new Map(
  [
    authTeamsList,
    authTest,
    blocksValidate,
    chatDelete,
    chatGetPermalink,
    chatPostEphemeral,
    chatPostMessage,
    chatUpdate,
    conversationsHistory,
    conversationsInfo,
    conversationsJoin,
    conversationsList,
    usersConversations,
    conversationsMembers,
    conversationsOpen,
    conversationsReplies,
    reactionsGet,
    usergroupsList,
    usergroupsUsersList,
    usersInfo,
    usersList,
    viewsOpen,
    viewsPublish,
    viewsPush,
    viewsUpdate,
  ].map((each) => [each.name, each]),
);
