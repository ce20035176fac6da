/**
 * Runs the bot, in a variant for the row that measures it. `whole`: as it is. `ack`: the listener of /countermand only
 * acknowledges, as the anchor's does, so that both make the same calls. `unwritten`: a change to a record is not written, and
 * counts as written.
 */
import { createApp, type Overrides } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';

const OVERRIDES: Record<string, Overrides> = {
  whole: {},
  ack: {
    routes: (routes) => ({
      ...routes,
      commands: { ...routes.commands, '/countermand': ({ ack }) => ack() },
    }),
  },
  unwritten: {
    storage: (storage) => ({
      ...storage,
      requests: { ...storage.requests, update: async () => ({ type: 'updated', version: 1 }) },
    }),
  },
};

const [variant = 'whole'] = process.argv.slice(2);
const config = loadConfig();
const app = await createApp(config, await createLogger(config.log), OVERRIDES[variant]);
process.on('SIGTERM', async () => {
  await app.stop();
  process.exit(0);
});
await app.start();
