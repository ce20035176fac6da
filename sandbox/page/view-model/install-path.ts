import type { SignedIn } from '../../slack/oauth/signed-in.ts';

/** The path of the page's server that leads to the app's install page. */
export const INSTALL_PATH = '/install';

/** Returns the path that signs a person in to a workspace, and then redirects to the app's install page. */
export const installPath = ({ user, place }: SignedIn): string =>
  `${INSTALL_PATH}?${new URLSearchParams({ as: user, in: place })}`;
