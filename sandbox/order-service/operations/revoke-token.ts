import type { Operation } from './operation.ts';

/** Revokes the token that the request was made with. */
export const revokeToken: Operation = {
  name: 'revoke_token',
  routes: [{ method: 'DELETE', path: '/token' }],
  run: ({ organization, token }) => {
    organization.tokens = organization.tokens.filter((known) => known.token !== token);
    return { status: 204 };
  },
};
