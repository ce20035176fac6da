import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { answerChallenges } from '../../src/cli/slack-app.ts';
import { signedChallenge } from '../../src/slack/transport/receiver.ts';

const SECRET = 'the secret of Slack';

async function setUp() {
  const port = await freePort();
  const answering = await answerChallenges({ port, host: '127.0.0.1' });
  onTestFinished(answering.close);
  const send = (signedWith: string, headers?: Record<string, string>) => {
    const challenge = signedChallenge(signedWith, 'a challenge', Date.now());
    return fetch(`http://127.0.0.1:${port}/slack/events`, {
      method: 'POST',
      body: challenge.body,
      headers: headers ?? challenge.headers,
    });
  };
  return { send, isSlackSecret: answering.isSlackSecret };
}

test("a stranger's challenge, after Slack's, does not make the right secret wrong", async () => {
  const { send, isSlackSecret } = await setUp();
  expect((await send(SECRET)).status).toBe(200);
  await send('a guess');
  await send('', {});
  expect(isSlackSecret(SECRET)).toBe(true);
  expect(isSlackSecret('a typing error')).toBe(false);
});

test('a challenge without a signature tests no secret', async () => {
  const { send, isSlackSecret } = await setUp();
  await send('', {});
  expect(isSlackSecret(SECRET)).toBeUndefined();
});

test('the newest challenges count', async () => {
  const { send, isSlackSecret } = await setUp();
  for (let n = 0; n < 30; n++) await send('a guess');
  await send(SECRET);
  expect(isSlackSecret(SECRET)).toBe(true);
});
