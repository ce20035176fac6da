/**
 * Serves one slash command by bare Bolt: its own HTTPReceiver, and an authorize that knows the answer. Plain JavaScript, as
 * most Bolt apps are.
 */
import { App, HTTPReceiver, LogLevel } from '@slack/bolt';

const { PORT = '0', SLACK_SIGNING_SECRET: signingSecret = '' } = process.env;

const app = new App({
  receiver: new HTTPReceiver({ signingSecret, logLevel: LogLevel.ERROR }),
  authorize: async () => ({ botToken: 'xoxb-anchor', botId: 'B1', botUserId: 'U1' }),
  logLevel: LogLevel.ERROR,
});

app.command('/countermand', async ({ ack }) => {
  await ack();
});

await app.start({ port: Number(PORT), host: '127.0.0.1' });
