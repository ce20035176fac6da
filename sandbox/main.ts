/** `npm run sandbox`: a Slack workspace in the browser, with the bot at work in it. */
import { parseArgs } from 'node:util';
import { connect } from './connect.ts';
import { openDesk } from './desk.ts';
import { createFeed } from './lib/feed.ts';
import { readMenu } from './lib/manifest.ts';
import { bundleClient } from './page/bundle.ts';
import { openPage } from './page/open-page.ts';
import { startPage } from './page/server.ts';
import { directMessage } from './slack/world/channels.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4000' },
    socket: { type: 'boolean', default: false },
    unconnected: { type: 'boolean', default: false },
  },
});
const transport = values.socket ? 'socket' : 'http';
const print = (line: string) => process.stdout.write(`${line}\n`);

print('Starting a Slack workspace, an order service and the bot …');
const [desk, code] = await Promise.all([openDesk({ transport }), bundleClient()]);
const { slack } = desk;
for (const { id, team_id, is_bot, deleted } of slack.world.users.values()) {
  const app = slack.world.installations.get(team_id);
  if (app && !is_bot && !deleted) directMessage(slack.world, id, app.bot_user_id, team_id);
}
if (!values.unconnected) await connect(desk);
const page = await startPage({
  ...desk,
  transport,
  menu: readMenu(),
  code,
  port: Number(values.port),
  changed: createFeed(),
});

let isStopping = false;

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await page.close();
  await desk.close();
  process.exit(exitCode);
}

process.on('SIGINT', () => stop(0)).on('SIGTERM', () => stop(0));
void desk.botEnded.then((end) => {
  if (isStopping) return;
  print(`The bot ended with ${end}:\n${desk.log()}`);
  void stop(1);
});
print(`Ready: ${page.origin}`);
print('Ctrl+C ends it. Nothing of it is kept.');
await openPage(page.origin, process.env);
