import type { Feature } from '../feature.ts';
import { showStatus } from './command.ts';

/** One request with its timeline. */
export const status: Feature = (deps) => ({
  subcommands: {
    status: {
      usage: '<id>',
      meaning: 'shows the status of a request, by its id or by the id of the order or offer.',
      run: (args, rest) => showStatus(deps, args, rest),
    },
  },
});
