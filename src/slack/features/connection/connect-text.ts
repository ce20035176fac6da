/** Sentences about connecting. */
import type { Connected, Doubt } from '../../../workspaces/connection/connect.ts';
import type { TokenKind } from '../../../workspaces/connection/connections.ts';
import { escaped } from '../../blocks/text.ts';

type Problem = Exclude<Connected['type'], 'connected'>;

const PROBLEMS: Record<Problem, string> = {
  malformed:
    'A token is one word without spaces. Copy it again from the developer portal. Nothing was saved.',
  too_short: 'A token has at least 8 characters. Copy it again from the developer portal. Nothing was saved.',
  refused:
    'The order service does not accept this token. Copy it again from the developer portal. Nothing was saved.',
  unreachable:
    'The order service could not be reached, so the token could not be checked. Nothing was saved. Try again.',
  conflict:
    'Another admin connected or disconnected this workspace at the same moment, and their change stands. Talk to them before you try again.',
};

export function problemOf(problem: Problem): string {
  return PROBLEMS[problem];
}

const GRAPHQL =
  'You said that this is a GraphQL token. GraphQL tokens still work on some REST endpoints, but the order service is ending that support: connect a REST API token instead.';

export function warningsOf(tokenKind: TokenKind, doubt: Doubt | undefined): string[] {
  return [...(tokenKind === 'graphql' ? [GRAPHQL] : []), ...(doubt ? [doubtSentence(doubt)] : [])];
}

/** Warnings about a token that was saved all the same. */
export function doubtSentence(doubt: Doubt): string {
  switch (doubt.type) {
    case 'limited':
      return `The order service knows the token but did not allow the check (${escaped(doubt.code)}), so it may refuse some operations.`;
    case 'unverified':
      return `The token is saved, but could not be checked: the order service answered ${escaped(doubt.code)}. Connect again once that is fixed.`;
    case 'graphql_refused':
      return 'The token is saved, but the order service refused the check of this GraphQL token: it lists no sub-brands, and other operations may refuse the token, too. If all of them do, the token is wrong: copy it again from the developer portal.';
  }
}

/** For an admin who has closed the modal, or whom Slack did not show it to. */
export function connectedDirectly(connected: Connected): string {
  if (connected.type !== 'connected') return `This workspace was not connected. ${PROBLEMS[connected.type]}`;
  return connected.secret === undefined
    ? 'This workspace is connected to the order service. The events URL and its secret have not changed.'
    : 'This workspace is connected to the order service, but I could no longer show you the events URL and its secret. Run /countermand connect again and tick “Make a new events secret” to see them.';
}
