import { authTeamsList, authTest } from './app/auth.ts';
import { blocksValidate } from './app/blocks-validate.ts';
import { viewsOpen, viewsPublish, viewsPush, viewsUpdate } from './app/views.ts';
import { chatDelete, chatGetPermalink, chatUpdate } from './chat/change.ts';
import { chatPostEphemeral, chatPostMessage } from './chat/post.ts';
import { reactionsGet } from './chat/reactions.ts';
import {
  conversationsInfo,
  conversationsJoin,
  conversationsList,
  conversationsMembers,
  conversationsOpen,
  usersConversations,
} from './conversations/conversations.ts';
import { conversationsHistory, conversationsReplies } from './conversations/history.ts';
import type { ApiMethod } from './method.ts';
import { usergroupsList, usergroupsUsersList, usersInfo, usersList } from './people/users.ts';

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
