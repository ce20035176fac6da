import { ClearStateStore } from '@slack/oauth';
import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { isTold } from '../../support/e2e/told.ts';

const reads =
  (text: string) =>
  ({ view }: { view: object }) =>
    JSON.stringify(view).includes(text);

async function startUninstalled() {
  const harness = await startHarness({ installing: 'oauth' });
  return { ...harness, browser: openBrowser(harness) };
}

describe('installing Countermand', () => {
  test('begins on a page of ours, goes over Slack’s, and ends with a message that connects the workspace', async () => {
    const { browser, slack, olga, ana, cancelOrder, reply, service, logged } = await startUninstalled();
    const begun = await browser.open('/slack/install');
    expect(begun.text).toContain('Add Countermand to Slack');
    const authorizeUrl = new URL(begun.link);
    expect(authorizeUrl.pathname).toBe('/oauth/v2/authorize');
    expect(authorizeUrl.searchParams.get('scope')?.split(',')).toEqual(
      expect.arrayContaining(['commands', 'chat:write']),
    );

    const done = await browser.install('olga');
    expect(done.status).toBe(200);
    expect(done.text).toContain('Countermand is installed.');
    const welcome = await olga.waitForDirectMessage(({ text }) => text.includes('Countermand is installed'));
    await isTold(ana, '/cancel-order A-2001', 'This workspace is not connected');

    await olga.click('Connect', { channel: welcome.channel, ts: welcome.ts });
    await olga.waitForModal({ callback: 'connect' });
    await olga.submit({ token: SEED_TOKENS.acme.rest });
    await olga.waitForModal(reads('is connected'));
    await olga.closeModal();
    await cancelOrder('A-1001');
    await reply('A-1001', /cancelled/i);
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(1);
    expect(logged.text()).toContain('"installed":"OAuth"');
    expect(slack.world.installations.size).toBe(1);
  });

  test('shows pages that load nothing, tell nobody their address, and are kept by nobody', async () => {
    const { browser } = await startUninstalled();
    for (const path of ['/slack/install', '/slack/oauth_redirect?error=access_denied']) {
      const { headers } = await browser.open(path);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test('ends on a page that promises no message where Slack took none', async () => {
    const { browser, slack, olga } = await startUninstalled();
    slack.admin.setApp({ messagesTab: false });
    const { status, text } = await browser.install('olga');
    expect(status).toBe(200);
    expect(text).toContain('Countermand is installed.');
    expect(text).toContain('/countermand connect');
    expect(text).not.toContain('direct message');
    expect(olga.directMessages()).toEqual([]);
  });

  test('twice at once keeps the later one, whichever comes to its end first', async () => {
    const harness = await startUninstalled();
    const { slack, connect, cancelOrder, reply } = harness;
    const held = slack.faults.schedule({ on: 'auth.test', fault: { type: 'hold', when: 'after' } });
    const early = harness.browser.install('olga');
    await held.reached;
    expect((await openBrowser(harness).install('olga')).text).toContain('Countermand is installed.');
    held.release();
    const { status, text } = await early;
    expect({ status, text }).toMatchObject({ status: 409, text: expect.stringContaining('Not stored') });
    await connect();
    await cancelOrder('A-1001');
    await reply('A-1001', /cancelled/i);
  });

  test('again gives a token that takes the place of the former one, and asks nobody to connect a connected workspace', async () => {
    const { browser, slack, olga, connect, cancelOrder, reply } = await startUninstalled();
    await browser.install();
    const former = slack.installation().token;
    await connect();
    const told = olga.directMessages().length;
    const { text } = await browser.install('olga');
    expect(text).toContain('Countermand is installed again.');
    expect(text).toContain('The connection to the order service is unchanged.');
    expect(olga.directMessages()).toHaveLength(told);
    expect(slack.installation().token).not.toBe(former);
    await cancelOrder('A-1001');
    await reply('A-1001', /cancelled/i);
  });

  test('survives a restart', async () => {
    const { browser, connect, restart, cancelOrder, reply } = await startUninstalled();
    await browser.install();
    await connect();
    await restart();
    await cancelOrder('A-1001');
    await reply('A-1001', /cancelled/i);
  });
});

test('an installation under way is stored before the bot ends: its code cannot be exchanged again', async () => {
  const { browser, slack, url, connect, restart, cancelOrder, reply } = await startUninstalled();
  slack.faults.schedule({ on: 'oauth.v2.access', fault: { type: 'delay_answer', ms: 1_000 } });
  const back = await browser.decide('olga');
  const headers = { cookie: [...browser.cookies].map((each) => each.join('=')).join('; ') };
  const leaving = new AbortController();
  const left = fetch(new URL(back, url), { headers, signal: leaving.signal }).catch(() => 'left');
  await expect.poll(() => slack.world.installations.size, { interval: 2 }).toBe(1);
  // As the server does to whoever still waits some seconds after a stop began.
  leaving.abort();
  expect(await left).toBe('left');
  await restart();
  await connect();
  await cancelOrder('A-1001');
  await reply('A-1001', /cancelled/i);
});

describe('an installation that cannot go on says why, and where to start again', () => {
  test('where it was denied', async () => {
    const { browser, slack } = await startUninstalled();
    const { status, text, link } = await browser.open(await browser.decide('olga', { allow: false }));
    expect(status).toBe(200);
    expect(text).toContain('was not installed');
    expect(link).toBe('install');
    expect(slack.world.installations.size).toBe(0);
  });

  test('where it comes a second time, from the same browser or with its cookie kept', async () => {
    const { browser, slack } = await startUninstalled();
    const back = await browser.decide('olga');
    const kept = new Map(browser.cookies);
    expect((await browser.open(back)).text).toContain('Countermand is installed.');
    const token = slack.installation().token;
    expect((await browser.open(back)).text).toContain('it was opened before');
    for (const [name, value] of kept) browser.cookies.set(name, value);
    const again = await browser.open(back);
    expect(again).toMatchObject({ status: 400, text: expect.stringContaining('it was opened before') });
    expect(slack.installation().token).toBe(token);
  });

  test('where it took more than ten minutes', async () => {
    const { browser, config } = await startUninstalled();
    const { installing } = config.slack;
    if (installing.type !== 'oauth') throw new Error('It is installed by a token.');
    const old = new Date(Date.now() - 601_000);
    const state = await new ClearStateStore(installing.stateSecret).generateStateParam({ scopes: [] }, old);
    browser.cookies.set('countermand-install', state);
    const { status, text } = await browser.open(`/slack/oauth_redirect?code=1&state=${state}`);
    expect({ status, text }).toMatchObject({ status: 400, text: expect.stringContaining('ten minutes') });
  });

  test('where it was begun in another browser: nobody is made to install what somebody else has begun', async () => {
    const { browser, slack } = await startUninstalled();
    const back = await browser.decide('olga');
    browser.cookies.clear();
    const { status, text } = await browser.open(back);
    expect({ status, text }).toMatchObject({ status: 400, text: expect.stringContaining('another browser') });
    expect(slack.world.installations.size).toBe(0);
  });

  test.each([
    ['made up', '/slack/oauth_redirect?code=1&state=made-up'],
    ['missing', '/slack/oauth_redirect?code=1'],
    ['that of a denial', '/slack/oauth_redirect?error=access_denied&state=made-up'],
  ])(
    'a state that is %s leaves the installation alone that is under way in this browser',
    async (_how, path) => {
      const { browser } = await startUninstalled();
      const back = await browser.decide('olga');
      await browser.open(path);
      expect((await browser.open(back)).text).toContain('Countermand is installed.');
    },
  );

  test('a state of another browser leaves the installation alone that is under way in this one', async () => {
    const harness = await startUninstalled();
    const { browser } = harness;
    const theirs = await openBrowser(harness).decide('olga');
    const back = await browser.decide('olga');
    expect((await browser.open(theirs)).text).toContain('another browser');
    expect((await browser.open(back)).text).toContain('Countermand is installed.');
  });

  test('where permissions are missing: by name, and nothing says that it is done', async () => {
    const { browser, slack, olga, logged } = await startUninstalled();
    const { link } = await browser.open('/slack/install');
    const fewer = new URL(link);
    const scopes = fewer.searchParams.get('scope')?.split(',') ?? [];
    const given = scopes.filter((scope) => scope !== 'reactions:read' && scope !== 'users:read');
    fewer.searchParams.set('scope', given.join(','));
    const lacking = await browser.open(slack.person('olga').authorize(fewer.href));
    expect(lacking.text).toContain('without permissions that it needs: reactions:read, users:read.');
    expect(lacking.text).not.toContain('is installed');
    expect(lacking.link).toBe('install');
    expect(olga.directMessages()).toEqual([]);
    expect(logged.text()).toContain('"missing":["reactions:read","users:read"]');
    expect((await browser.install('olga')).text).toContain('Countermand is installed.');
  });

  test.each([
    '/slack/oauth_redirect',
    '/slack/oauth_redirect?code=1',
    '/slack/oauth_redirect?code=1&state=made-up',
    '/slack/oauth_redirect?state=%00',
  ])('where somebody made it up: %s', async (path) => {
    const { browser } = await startUninstalled();
    const { status, text } = await browser.open(path);
    expect({ status, text }).toMatchObject({ status: 400, text: expect.stringContaining('by way of Slack') });
  });

  test('where Slack refuses, by Slack’s own word and by nothing else', async () => {
    const { browser } = await startUninstalled();
    const refused = await browser.open('/slack/oauth_redirect?error=invalid_team_for_non_distributed_app');
    expect(refused.text).toContain('“invalid_team_for_non_distributed_app”');
    const forged = await browser.open('/slack/oauth_redirect?error=%3Cscript%3Ealert(1)%3C/script%3E');
    expect(forged.text).toContain('“unknown”');
  });

  test.each([
    ['cannot_install_an_org_installed_app', 'Ask an admin of the organization to add Countermand'],
    ['user_email_unverified', 'Confirm the address there, then start again'],
    ['two_factor_setup_required', 'Set it up in Slack, then start again'],
    ['org_login_required', 'Start again once the move is over'],
    ['team_added_to_org', 'Start again once the move is over'],
  ])('where Slack gives no token: by what to do about %s, which is no fault', async (code, sentence) => {
    const { browser, slack, logged } = await startUninstalled();
    const back = await browser.decide('olga');
    slack.faults.schedule({ on: 'oauth.v2.access', fault: { type: 'error', code } });
    const { status, text } = await browser.open(back);
    expect({ status, text }).toMatchObject({ status: 200, text: expect.stringContaining(sentence) });
    expect(text).toContain('Nothing was changed.');
    expect(logged.text()).not.toContain(code);
  });

  test('where Slack does not answer: with a reference that is in the log', async () => {
    const { browser, slack, logged } = await startUninstalled();
    const back = await browser.decide('olga');
    slack.faults.schedule({ on: 'oauth.v2.access', fault: { type: 'status', status: 500 } });
    const { status, text } = await browser.open(back);
    expect(status).toBe(500);
    const [, reference = ''] = text.match(/reference: (\S+)/) ?? [];
    expect(logged.text()).toContain(reference);
    expect((await browser.install()).text).toContain('Countermand is installed.');
  });
});

test('the pages are not served where the bot works in one workspace by a token', async () => {
  const harness = await startHarness({ connected: false });
  expect((await openBrowser(harness).open('/slack/install')).status).toBe(404);
});

describe('several workspaces', () => {
  test('are served side by side, each with its own token, connection and requests', async () => {
    const harness = await startUninstalled();
    const { browser, slack, connect, cancelOrder, card } = harness;
    await browser.install('olga');
    const { team, channels } = slack.admin.addWorkspace({
      name: 'Umbrella',
      people: [{ name: 'uma', role: 'admin' }, { name: 'udo' }],
      channels: [{ name: 'umbrella-desk' }],
    });
    await openBrowser(harness).install('uma', { team: team.id });
    await connect();
    await cancelOrder('A-1001');
    await card('A-1001');

    const udo = slack.person('udo');
    const channel = channels[0]?.id ?? '';
    await isTold(udo, '/cancel-order A-1001', 'This workspace is not connected', channel);
    await isTold(udo, '/countermand status A-1001', 'No request in this workspace has the id', channel);
  });
});
