/** What became of a token that another one has taken the place of. Pure. */
import type { FormerToken } from '../../../workspaces/connection/revoke-former.ts';
import { escaped } from '../../blocks/text.ts';

const FORGOTTEN = 'Countermand has forgotten it: revoke it in the developer portal, unless others use it.';

/** @param reference of the fault, where there was one. @returns mrkdwn */
export function formerTokenText(former: FormerToken, reference?: string): string {
  switch (former.type) {
    case 'none':
      return 'There was no former token to revoke.';
    case 'same':
      return 'The former token was not revoked: it is the one that is connected again.';
    case 'shared':
      return 'The former token was not revoked: another workspace is connected with it.';
    case 'revoked':
      return 'The former token was revoked at the order service.';
    case 'dead':
      return 'The order service did not know the former token any more: it was revoked before.';
    case 'in_doubt':
      return `:warning: The former token was not revoked, since it is not certain that the new one works. ${FORGOTTEN}`;
    case 'unreachable':
      return `:warning: The former token was not revoked: the order service could not be reached for it. ${FORGOTTEN}`;
    case 'rate_limited':
      return `:warning: The former token was not revoked: the order service has had too many requests, and did not take this one. ${FORGOTTEN}`;
    case 'refused':
      return `:warning: The order service refused to revoke the former token (${escaped(former.code)}). ${FORGOTTEN}`;
    case 'not_sent':
      return `:warning: The former token was not revoked: something went wrong on our side before the order service was asked. ${FORGOTTEN}${faultText(reference)}`;
    case 'unknown':
      return `:warning: *The former token may have been revoked, and may not* (${escaped(former.code)}). ${FORGOTTEN}${faultText(reference)}`;
  }
}

const faultText = (reference: string | undefined): string => (reference ? ` Reference: ${reference}.` : '');
