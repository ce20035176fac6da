import { z } from 'zod';
import { SlackError } from '../../slack-error.ts';
import { uninstallApp } from '../../world/app/installations.ts';
import { type ApiMethod, method } from '../method.ts';
import { checkClient } from './client-credentials.ts';

/** The app takes itself away from a workspace. From an organization only its admins take it. */
export const appsUninstall: ApiMethod = method({
  name: 'apps.uninstall',
  tier: 1,
  scopes: [],
  args: z.object({ client_id: z.string().optional(), client_secret: z.string().optional() }),
  run: ({ world, app }, args) => {
    checkClient(world, { headers: {} }, args);
    if (app.is_enterprise_install) throw new SlackError('enterprise_is_restricted');
    uninstallApp(world, app);
    return {};
  },
});
