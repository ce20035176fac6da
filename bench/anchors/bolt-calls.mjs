/**
 * Makes the calls to Slack that the bot makes after a form or an event, and keeps nothing: bare Bolt, its receiver and its
 * client. The message comes first, as in the bot.
 */
import { App, HTTPReceiver, LogLevel } from '@slack/bolt';

const {
  PORT = '0',
  SLACK_SIGNING_SECRET: signingSecret = '',
  SLACK_API_URL = '',
  CALLS = '[]',
} = process.env;
const calls = JSON.parse(CALLS);
const token = 'xoxb-T0BENCH-anchor';

const receiver = new HTTPReceiver({
  signingSecret,
  logLevel: LogLevel.ERROR,
  customRoutes: [{ path: '/outcomes', method: ['POST'], handler: takeEvent }],
});

const app = new App({
  receiver,
  authorize: async () => ({ botToken: token, botId: 'B1', botUserId: 'U1' }),
  clientOptions: { slackApiUrl: SLACK_API_URL },
  logLevel: LogLevel.ERROR,
});

app.view('request_cancel_order', async ({ ack, view, client }) => {
  await ack();
  await callSlack(client, view.state.values.target.target.value);
});

function takeEvent(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(202).end();
    await callSlack(app.client, data.orderId);
  });
}

async function callSlack(client, order) {
  for (const method of calls) {
    await client.apiCall(method, {
      token,
      channel: 'C0SUPPORT',
      text: `Order ${order}`,
      ts: '1.000001',
      user: 'U0ANA',
    });
  }
}

await app.start({ port: Number(PORT), host: '127.0.0.1' });
