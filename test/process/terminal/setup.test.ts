/** `countermand setup` at a terminal, with the local Slack and order service. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { startOrderService } from '../../../sandbox/order-service/start.ts';
import type { SlackOptions } from '../../../sandbox/slack/options.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { readConfig } from '../../../src/config.ts';
import { SCOPES } from '../../../src/slack/client/access.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';
import { needsTerminal, startAtTerminal } from '../support/at-terminal.ts';

async function world(options: Partial<SlackOptions> = {}) {
  const journal = createJournal();
  const service = await startOrderService({ journal });
  const slack = await startSlack({ journal, scopes: SCOPES, ...options });
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}/`;
  onTestFinished(async () => {
    await slack.close();
    await service.close();
  });
  slack.connectApp({ requestUrl: `${publicUrl}slack/events` });
  const folder = temporaryFolder();
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, HOST: '127.0.0.1', SLACK_API_URL: slack.apiUrl, BROWSER: 'none' };
  const start = (more: Record<string, string> = {}) =>
    startAtTerminal(`'${process.execPath}' '${inject('bundle')}' setup`, {
      cwd: folder,
      env: { ...env, ...more },
    });
  return { slack, service, port, publicUrl, folder, start };
}

const ADDRESS = 'Address of this bot';
const PORT = 'Port on which it listens';
const REACH = 'Can Slack reach that address?';
const BROWSER = 'Open it in a browser';
const SIGNING = 'Signing secret';
const BOT_TOKEN = 'Bot token';
const SERVICE = 'Address of the order service';

describe('countermand setup', () => {
  needsTerminal();

  test('asks for all, tests each at once, shows no secret, and writes .env', async () => {
    const { slack, service, port, publicUrl, folder, start } = await world();
    const setup = start();
    await setup.answer(ADDRESS, 'http://bot.example');
    await setup.answer('PUBLIC_URL must be an https address', '');
    await setup.answer('PUBLIC_URL is missing', publicUrl);
    await setup.answer(PORT, `${port}`);
    await setup.answer(REACH, 'maybe');
    await setup.answer('Type y or n.', 'y');
    await setup.answer(BROWSER, '');
    // Slack asks before anybody knows the secret.
    const body = '{"type":"url_verification","challenge":"a challenge"}';
    await expect
      .poll(() => slack.deliver({ contentType: 'application/json', body }))
      .toMatchObject({ status: 200, body: expect.stringContaining('a challenge') });
    await setup.answer(SIGNING, 'wrong-4711');
    await setup.answer('challenge is not signed with this secret', slack.signingSecret);
    await setup.answer(BOT_TOKEN, 'xoxb-wrong-4711');
    await setup.answer('Slack does not accept it (invalid_auth)', slack.installation().token);
    await setup.answer(SERVICE, 'http://127.0.0.1:1');
    await setup.answer('http://127.0.0.1:1 gave no answer', service.url);
    expect(await setup.ended).toBe(0);
    const output = setup.output();
    expect(output).toContain(`A signed request to ${publicUrl} arrives here.`);
    expect(output).toContain('Slack accepts it: Acme Support (T0ACME0001).');
    expect(output).toContain('type /countermand connect');
    for (const hidden of [slack.signingSecret, slack.installation().token, '4711'])
      expect(output).not.toContain(hidden);
    const file = join(folder, '.env');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const written = Object.fromEntries(
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    );
    expect(readConfig(written, false)).toMatchObject({
      port,
      publicUrl: new URL(publicUrl),
      slack: {
        installing: { botToken: slack.installation().token },
        transport: { signingSecret: slack.signingSecret },
      },
    });
  });

  test("shows Slack's page for a new app, with the manifest filled in", async () => {
    const { port, publicUrl, start } = await world();
    const setup = start();
    await setup.answer(ADDRESS, publicUrl);
    await setup.answer(PORT, `${port}`);
    await setup.answer(REACH, 'n');
    await setup.answer(BROWSER, '');
    const [page = ''] = /https:\/\/api\.slack\.com\/apps\?\S+/.exec(setup.output()) ?? [];
    const manifest = new URL(page).searchParams.get('manifest_json') ?? '';
    expect(manifest).not.toContain('countermand.example.com');
    expect(JSON.parse(manifest)).toMatchObject({
      features: {
        slash_commands: expect.arrayContaining([
          expect.objectContaining({ url: `${publicUrl}slack/events` }),
        ]),
      },
      oauth_config: { scopes: { bot: SCOPES } },
      settings: { socket_mode_enabled: true },
    });
  });

  test('with Socket Mode tests the app-level token, and refuses a bot token that lacks a scope', async () => {
    const { slack, service, port, publicUrl, folder, start } = await world({
      scopes: SCOPES.filter((scope) => scope !== 'commands'),
    });
    const setup = start();
    await setup.answer(ADDRESS, publicUrl);
    await setup.answer(PORT, `${port}`);
    await setup.answer(REACH, 'n');
    await setup.answer(BROWSER, '');
    await setup.answer('App-level token', 'xapp-wrong');
    await setup.answer('Slack does not accept it (invalid_auth)', slack.appToken);
    await setup.answer(BOT_TOKEN, slack.installation().token);
    await expect.poll(setup.output).toContain('It lacks commands. Install the app again');
    const { token } = slack.admin.install(slack.installation().team_id, { scopes: SCOPES });
    await setup.answer(BOT_TOKEN, token);
    await setup.answer(SERVICE, service.url);
    expect(await setup.ended).toBe(0);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toContain(`SLACK_APP_TOKEN=${slack.appToken}\n`);
    expect(setup.output()).not.toContain(slack.appToken);
  });

  test('names a variable that it cannot use', async () => {
    const { start } = await world();
    const setup = start({ SLACK_API_URL: 'foo' });
    expect(await setup.ended).toBe(1);
    expect(setup.output().trimEnd()).toMatch(/^SLACK_API_URL must be an https address .*\.$/);
  });

  test('writes nothing if it is interrupted, or if there is a .env already', async () => {
    const { folder, start } = await world();
    const setup = start();
    await expect.poll(setup.output).toContain(ADDRESS);
    setup.interrupt();
    expect(await setup.ended).toBe(1);
    expect(setup.output()).toContain('Setup was ended. Nothing was written.');
    expect(existsSync(join(folder, '.env'))).toBe(false);
    writeFileSync(join(folder, '.env'), 'KEPT=1\n');
    const again = start();
    expect(await again.ended).toBe(1);
    expect(again.output()).toContain('There is a file .env in this folder already');
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('KEPT=1\n');
  });
});
