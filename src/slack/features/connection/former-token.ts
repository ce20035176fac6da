/** Sentences about a token that another one has replaced. */
import type { FormerToken } from '../../../workspaces/connection/revoke-former.ts';
import { escaped } from '../../blocks/text.ts';

const FORGOTTEN = 'Countermand has forgotten it: revoke it in the developer portal, unless others use it.';

/** @param reference of the fault, where there was one. @returns mrkdwn */
export function formerTokenText(former: FormerToken, reference?: string): string {
  switch (former.type) {
    case 'none':
      return 'There was no former token to revoke.';
    case 'same':
      return 'The former token was not revoked: it is the same as the new one.';
    case 'shared':
      return 'The former token was not revoked: another workspace is connected with it.';
    case 'revoked':
      return 'The former token was revoked at the order service.';
    case 'dead':
      return 'The order service no longer knew the former token: it was revoked before.';
    case 'in_doubt':
      return `:warning: The former token was not revoked, because it is not certain that the new one works. ${FORGOTTEN}`;
    case 'unreachable':
      return `:warning: The former token was not revoked: the order service could not be reached. ${FORGOTTEN}`;
    case 'rate_limited':
      return `:warning: The former token was not revoked: the order service had too many requests and did not take this one. ${FORGOTTEN}`;
    case 'refused':
      return `:warning: The order service refused to revoke the former token (${escaped(former.code)}). ${FORGOTTEN}`;
    case 'not_sent':
      return `:warning: The former token was not revoked: something went wrong in Countermand before it called the order service. ${FORGOTTEN}${faultText(reference)}`;
    case 'unknown':
      return `:warning: *I do not know whether the former token was revoked* (${escaped(former.code)}). ${FORGOTTEN}${faultText(reference)}`;
  }
}

const faultText = (reference: string | undefined): string => (reference ? ` Reference: ${reference}.` : '');
