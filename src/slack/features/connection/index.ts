import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import type { Feature } from '../feature.ts';
import { connectAction, connectSubmission, openConnect } from './connect.ts';
import { disconnectSubmission, openDisconnect } from './disconnect.ts';
import { tryTokenAction } from './try-token.ts';

/** Connects a workspace to the order service, and disconnects it. */
export const connection: Feature = (deps) => ({
  subcommands: {
    connect: {
      usage: '',
      meaning: 'connects this workspace to the order service (admins).',
      run: (args) => openConnect(deps, args),
    },
    disconnect: {
      usage: '',
      meaning: 'disconnects this workspace from the order service (admins).',
      run: (args) => openDisconnect(deps, args),
    },
  },
  actions: { [ACTIONS.connect]: connectAction(deps), [ACTIONS.tryToken]: tryTokenAction(deps) },
  views: {
    [CALLBACKS.connect]: connectSubmission(deps),
    [CALLBACKS.disconnect]: disconnectSubmission(deps),
  },
});
