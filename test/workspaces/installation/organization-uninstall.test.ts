import { describe, expect, test } from 'vitest';
import { installationEntry, notInstalled } from '../../../src/workspaces/installation/installation-record.ts';
import { type Check, UNINSTALL_TIMINGS } from '../../../src/workspaces/installation/uninstall-record.ts';
import { createSettingsStore } from '../../../src/workspaces/settings.ts';
import { installation, openStore } from './installation-stores.ts';
import { createUninstallHarness, HOUR } from './uninstall-harness.ts';

/** An organization with two workspaces that the bot knows, each with settings, over the real stores. */
async function createOrganizationHarness() {
  const stores = openStore();
  const { storage, store, installations } = stores;
  const settings = createSettingsStore(storage.settings);
  const harness = createUninstallHarness(installations);
  const organization = { ...stores, ...harness, settings };
  meanwhile(organization, async () => {});
  await store.add(installation('E1'));
  for (const workspace of ['T1', 'T2']) {
    await installations.find(workspace, 'E1');
    await settings.change(workspace, { requesters: 'S0OLD' });
  }
  return organization;
}

type OrganizationHarness = Awaited<ReturnType<typeof createOrganizationHarness>>;

/** Does something in the middle of each removal of a workspace. */
function meanwhile(
  { deps, settings }: Pick<OrganizationHarness, 'deps' | 'settings'>,
  act: (workspace: string) => Promise<unknown>,
) {
  deps.forget = async (workspace) => {
    await act(workspace);
    await settings.forget(workspace);
    return true;
  };
}

/** Each removal, with the organization whose access ends. */
const REMOVALS = [
  { removal: 'its organization is removed', left: ['E1', undefined] },
  { removal: 'its organization loses access', left: ['T1', 'E1'] },
] as const;

describe('a workspace of an organization that uninstalls the app', () => {
  test('keeps its settings if it is installed on its own while another one is removed', async () => {
    const harness = await createOrganizationHarness();
    const { report, seeThrough, settings, store } = harness;
    const removed: string[] = [];
    const other = () => (removed[0] === 'T1' ? 'T2' : 'T1');
    meanwhile(harness, async (workspace) => {
      if (removed.push(workspace) > 1) return;
      await store.add(installation(other(), { organization: 'E1' }));
      await settings.change(other(), { requesters: 'S0NEW' });
    });
    await report('E1');
    await seeThrough('E1');
    expect(await settings.read(removed[0] ?? '')).toEqual({});
    expect(await settings.read(other())).toEqual({ requesters: 'S0NEW' });
    expect(removed).not.toContain(other());
  });

  test('is swept in the end, though the bot knows it only since the tokens of the others are revoked', async () => {
    const harness = await createOrganizationHarness();
    const { advance, deps, installations, report, seeThrough, settings } = harness;
    deps.revokeOwn = async () => {
      await installations.find('T3', 'E1');
      return 'done';
    };
    await report('E1');
    await advance('E1');
    await settings.change('T3', { requesters: 'S0LATE' });
    await seeThrough('E1');
    expect(await settings.read('T3')).toEqual({});
  });

  test.each(REMOVALS)('cannot be installed on its own while it is removed: $removal', async ({ left }) => {
    const [id, organization] = left;
    const harness = await createOrganizationHarness();
    const { report, seeThrough, store } = harness;
    const tries: Promise<unknown>[] = [];
    meanwhile(harness, async (workspace) => {
      tries.push(store.standing(workspace));
    });
    await report(id, true, organization);
    await seeThrough(id, organization);
    expect(tries.length).toBeGreaterThan(0);
    for (const tried of tries) expect(await tried).toBeUndefined();
  });

  test('is swept in the end, though the organization has come back without it and left again', async () => {
    const { advance, clock, installations, report, seeThrough, settings, store } =
      await createOrganizationHarness();
    await report('E1');
    await advance('E1');
    clock.now += 1_000;
    await settings.change('T2', { requesters: 'S0LATE' });
    await store.add(installation('E1'));
    await installations.find('T1', 'E1');
    await report('E1');
    await seeThrough('E1');
    expect(await settings.read('T2')).toEqual({});
  });
});

describe('a workspace to which its organization has lost access, and of which a late request is served', () => {
  async function createLateRequest() {
    const harness = await createOrganizationHarness();
    const { advance, installations, report, settings } = harness;
    await report('T1', true, 'E1');
    await advance('T1', 'E1');
    await installations.find('T1', 'E1');
    await settings.change('T1', { requesters: 'S0LATE' });
    return harness;
  }

  test('is forgotten by the last sweep', async () => {
    const { installations, organizations, seeThrough, settings } = await createLateRequest();
    await seeThrough('T1', 'E1');
    expect(await settings.read('T1')).toEqual({});
    expect(await organizations.of('T1')).toBeUndefined();
    expect(await installations.find('T2')).toMatchObject({ organization: 'E1' });
  });

  test('is forgotten as soon as Slack can be asked', async () => {
    const { advance, clock, pending, seeThrough, settings, state } = await createLateRequest();
    clock.now += (await advance('T1', 'E1')) ?? 0;
    state.slack = 'unknown';
    expect(await advance('T1', 'E1')).toBeGreaterThan(0);
    expect((await pending('T1', 'E1'))?.step.type).toBe('sweep');
    expect(await settings.read('T1')).not.toEqual({});
    state.slack = 'gone';
    await seeThrough('T1', 'E1');
    expect(await settings.read('T1')).toEqual({});
  });

  test('keeps everything if the organization has access again', async () => {
    const { seeThrough, settings, state } = await createLateRequest();
    state.slack = 'stands';
    await seeThrough('T1', 'E1');
    expect(await settings.read('T1')).toEqual({ requesters: 'S0LATE' });
  });

  test('is forgotten also if the whole organization leaves before Slack can be asked', async () => {
    const { advance, pending, seeThrough, settings, state, store } = await createLateRequest();
    await store.forget('E1');
    state.slack = 'unknown';
    await seeThrough('T1', 'E1');
    expect(await settings.read('T1')).toEqual({});
    expect(await advance('T1', 'E1')).toBeUndefined();
    expect(await pending('T1', 'E1')).toBeUndefined();
  });
});

describe('a workspace that uninstalls what it had installed beside its organization', () => {
  /** @param access Slack's answer about the organization and the workspace */
  async function createBoth(access: 'stands' | 'gone') {
    const harness = await createOrganizationHarness();
    harness.deps.checkInstalled = async ({ organization }) => (organization === undefined ? 'gone' : access);
    await harness.store.add(installation('T1', { organization: 'E1' }));
    return harness;
  }

  test('is forgotten if its organization lost access to it before, which said nothing then', async () => {
    const { installations, report, seeThrough, settings, state } = await createBoth('gone');
    await report('T1', true, 'E1');
    await seeThrough('T1', 'E1');
    expect(await settings.read('T1')).not.toEqual({});
    await report('T1');
    await seeThrough('T1');
    await seeThrough('T1', 'E1');
    expect(await settings.read('T1')).toEqual({});
    expect(state.done).toContain('revoke T1');
    expect(await installations.find('T1')).toBeUndefined();
    expect(await installations.find('T2')).toBeDefined();
  });

  test('keeps everything if its organization has access to it', async () => {
    const { installations, report, seeThrough, settings, state } = await createBoth('stands');
    await report('T1');
    await seeThrough('T1');
    await seeThrough('T1', 'E1');
    expect(await settings.read('T1')).toEqual({ requesters: 'S0OLD' });
    expect(state.done).toEqual([]);
    expect(await installations.find('T1')).toMatchObject({ organization: 'E1' });
  });
});

describe('a workspace that uninstalls what it had installed before it joined an organization', () => {
  /** @param access Slack's answer about each organization and the workspace */
  async function createJoined(access: Record<string, Check>, former = {}) {
    const harness = await createOrganizationHarness();
    harness.deps.checkInstalled = async ({ organization }) =>
      organization === undefined ? 'gone' : (access[organization] ?? 'unknown');
    await harness.store.add(installation('E2'));
    await harness.store.add(installation('T3', former));
    await harness.settings.change('T3', { requesters: 'S0OLD' });
    return harness;
  }

  test.each([
    ['of which nothing was known', {}],
    ['after another one', { organization: 'E1' }],
  ])('keeps everything if Slack names that, %s, and says that it has access', async (_how, former) => {
    const harness = await createJoined({ E2: 'stands', E1: 'gone' }, former);
    const { installations, reportIn, report, seeThrough, settings, state } = harness;
    await reportIn('E2', 'T3');
    await report('T3', false);
    await seeThrough('T3');
    await seeThrough('T3', 'E2');
    expect(await settings.read('T3')).toEqual({ requesters: 'S0OLD' });
    expect(state.done).toEqual([]);
    expect(await installations.find('T3')).toMatchObject({ organization: 'E2', botToken: 'xoxb-E2' });
  });

  test.each([
    ['Slack names', {}, 'E2'],
    ['was stored', { organization: 'E2' }, undefined],
  ])(
    'is never served by one that %s if that has no access, and is forgotten after a day',
    async (_how, former, named) => {
      const harness = await createJoined({ E2: 'gone' }, former);
      const { advance, clock, installations, organizations, report, reportIn, settings, state } = harness;
      await (named ? reportIn(named, 'T3') : report('T3'));
      const began = clock.now;
      while (clock.now - began < 23 * HOUR) {
        clock.now += (await advance('T3')) ?? 0;
        expect(await installations.find('T3')).toMatchObject({ botToken: 'xoxb-T3' });
      }
      expect(await settings.read('T3')).toEqual({ requesters: 'S0OLD' });
      await harness.seeThrough('T3');
      expect(await settings.read('T3')).toEqual({});
      expect(state.done).toEqual(['revoke T3']);
      expect(await organizations.of('T3')).toBeUndefined();
      expect(await installations.find('T3')).toBeUndefined();
    },
  );

  test('has a day for the revocation of its API token once no organization serves it', async () => {
    const { deps, reportIn, seeThrough, settings } = await createJoined({ E2: 'gone' });
    deps.revokeOwn = async () => 'later';
    await reportIn('E2', 'T3');
    expect(await seeThrough('T3')).toBeGreaterThan(48 * HOUR);
    expect(await settings.read('T3')).toEqual({});
  });

  test('is not left to one that served it before its own installation, and has no access any more', async () => {
    const { installations, organizations, report, seeThrough, settings } = await createJoined({ E2: 'gone' });
    await organizations.learn('T3', 'E2');
    await report('T3');
    await seeThrough('T3');
    expect(await settings.read('T3')).toEqual({});
    expect(await installations.find('T3')).toBeUndefined();
  });

  test('is forgotten though Slack names an organization in which Countermand is not installed', async () => {
    const { reportIn, seeThrough, settings } = await createJoined({});
    await reportIn('E9', 'T3');
    await seeThrough('T3');
    expect(await settings.read('T3')).toEqual({});
  });

  test.each(['unknown', 'refused'] as const)(
    'is neither forgotten nor served by that before Slack has said: %s',
    async (said) => {
      const access: Record<string, Check> = { E2: said };
      const harness = await createJoined(access);
      const { advance, clock, installations, pending, reportIn, seeThrough, settings } = harness;
      await reportIn('E2', 'T3');
      for (let tries = 0; tries < 3; tries++) clock.now += (await advance('T3')) ?? 0;
      expect((await pending('T3'))?.step.type).toBe('verify');
      expect(await settings.read('T3')).toEqual({ requesters: 'S0OLD' });
      expect(await installations.find('T3')).toMatchObject({ botToken: 'xoxb-T3' });
      access['E2'] = 'gone';
      await seeThrough('T3');
      expect(await settings.read('T3')).toEqual({});
    },
  );

  test('goes on working where the record of an organization cannot be read, and is not forgotten while Slack names that', async () => {
    const harness = await createJoined({});
    const { advance, installations, pending, reportIn, settings, storage } = harness;
    await storage.installations.create(installationEntry({ ...notInstalled('E9'), installed: {} as never }));
    expect(await installations.find('T3', 'E9')).toMatchObject({ botToken: 'xoxb-T3' });
    await reportIn('E9', 'T3');
    expect(await advance('T3')).toBe(UNINSTALL_TIMINGS.retryMs);
    expect((await pending('T3'))?.step.type).toBe('verify');
    expect(await settings.read('T3')).toEqual({ requesters: 'S0OLD' });
  });

  test('keeps everything if only a search of Slack finds both', async () => {
    const { installations, report, seeThrough, settings } = await createJoined({ E2: 'stands' });
    await installations.setOrganization('T3', 'E2');
    await report('T3', false);
    await seeThrough('T3');
    await seeThrough('T3', 'E2');
    expect(await settings.read('T3')).toEqual({ requesters: 'S0OLD' });
    expect(await installations.find('T3')).toMatchObject({ organization: 'E2' });
  });
});

test('a workspace keeps everything if its organization was only waiting for a new token', async () => {
  const harness = await createOrganizationHarness();
  const { advance, clock, deps, installations, pending, report, seeThrough, settings, store } = harness;
  await store.add(installation('T1', { organization: 'E1' }));
  await report('T1');
  clock.now += (await advance('T1')) ?? 0;
  await store.add(installation('E1'));
  deps.checkInstalled = async ({ organization }) => (organization === undefined ? 'gone' : 'stands');
  await seeThrough('T1');
  await seeThrough('T1', 'E1');
  expect(await pending('T1', 'E1')).toBeUndefined();
  expect(await settings.read('T1')).toEqual({ requesters: 'S0OLD' });
  expect(await installations.find('T1')).toMatchObject({ organization: 'E1' });
});

test('a workspace keeps everything if its organization gets access again before the token is revoked', async () => {
  const { advance, deps, report, seeThrough, settings, state } = await createOrganizationHarness();
  let revocation: 'done' | 'later' = 'later';
  deps.revokeOwn = async () => revocation;
  await report('T1', true, 'E1');
  await advance('T1', 'E1');
  state.slack = 'stands';
  revocation = 'done';
  await seeThrough('T1', 'E1');
  expect(await settings.read('T1')).toEqual({ requesters: 'S0OLD' });
});

describe('a workspace that has moved to another organization, which serves it', () => {
  async function createMove() {
    const harness = await createOrganizationHarness();
    const { installations, settings, store } = harness;
    await store.add(installation('E2'));
    return {
      ...harness,
      async move() {
        await installations.find('T1', 'E2');
        await settings.change('T1', { requesters: 'S0NEW' });
      },
    };
  }

  test('keeps everything if the former one reports late that it has lost access', async () => {
    const { installations, move, report, seeThrough, settings } = await createMove();
    await move();
    await report('T1', true, 'E1');
    await seeThrough('T1', 'E1');
    expect(await settings.read('T1')).toEqual({ requesters: 'S0NEW' });
    expect(await installations.find('T1')).toMatchObject({ organization: 'E2' });
  });

  test('keeps everything if it moves while a token of the former one cannot be revoked yet', async () => {
    const { advance, clock, deps, installations, move, report, seeThrough, settings } = await createMove();
    let revocation: 'done' | 'later' = 'later';
    deps.revokeOwn = async () => revocation;
    await report('T1', true, 'E1');
    clock.now += (await advance('T1', 'E1')) ?? 0;
    await move();
    revocation = 'done';
    await seeThrough('T1', 'E1');
    expect(await settings.read('T1')).toEqual({ requesters: 'S0NEW' });
    expect(await installations.find('T1')).toMatchObject({ organization: 'E2' });
  });
});

describe('a removal that is cut short after the installation itself, and before that is recorded', () => {
  /** Breaks off as a crash does after the record was removed, and before the workspaces of an organization are. */
  async function cutShort({ advance, deps, report, store }: OrganizationHarness, id: string) {
    const { removeInstallation } = deps;
    deps.removeInstallation = async () => {
      deps.removeInstallation = removeInstallation;
      await store.forget(id);
      throw new Error('the process ended');
    };
    await report(id);
    expect(await advance(id)).toBe(UNINSTALL_TIMINGS.retryMs);
  }

  test.each(['goes on', 'begins anew by a repeated report'])(
    'leaves nothing of an organization: it %s',
    async (how) => {
      const harness = await createOrganizationHarness();
      const { organizations, report, seeThrough } = harness;
      await cutShort(harness, 'E1');
      expect((await Array.fromAsync(organizations.workspaces('E1'))).sort()).toEqual(['T1', 'T2']);
      if (how !== 'goes on') await report('E1', false);
      await seeThrough('E1');
      expect(await Array.fromAsync(organizations.workspaces('E1'))).toEqual([]);
    },
  );

  test('leaves nothing of the own installation of a workspace that its organization serves as well', async () => {
    const harness = await createOrganizationHarness();
    const { deps, installations, seeThrough, settings, store } = harness;
    deps.checkInstalled = async ({ organization }) => (organization === undefined ? 'gone' : 'stands');
    await store.add(installation('T1', { organization: 'E1' }));
    await cutShort(harness, 'T1');
    await seeThrough('T1');
    expect(await Array.fromAsync(store.ids())).toEqual(['E1']);
    expect(await installations.find('T1')).toMatchObject({ organization: 'E1' });
    expect(await settings.read('T1')).toEqual({ requesters: 'S0OLD' });
  });
});

test('the bot of the organization takes the place of that of the workspace, again after a failure', async () => {
  const harness = await createOrganizationHarness();
  const { store, deps, report, clock, advance, seeThrough, state, pending } = harness;
  await store.add(installation('T1', { organization: 'E1' }));
  const { botReplaced } = deps;
  deps.checkInstalled = async ({ organization }) => (organization === undefined ? 'gone' : 'stands');
  deps.botReplaced = async () => {
    throw new Error('Slack is away.');
  };
  await report('T1');
  for (let tries = 0; tries < 3; tries += 1) clock.now += (await advance('T1')) ?? 0;
  expect(await store.get('T1')).toBeUndefined();
  expect((await pending('T1'))?.step.type).toBe('remove');
  expect(state.replaced).toEqual([]);
  deps.botReplaced = botReplaced;
  while ((await pending('T1'))?.step.type !== 'sweep') clock.now += (await advance('T1')) ?? 0;
  expect(state.replaced, 'at once, and not a quarter of an hour later').toEqual(['T1']);
  await seeThrough('T1');
});

test('the bot of the organization takes the place of that of the workspace as soon as that is removed', async () => {
  const { store, deps, report, clock, advance, state, pending } = await createOrganizationHarness();
  await store.add(installation('T1', { organization: 'E1' }));
  deps.checkInstalled = async ({ organization }) => (organization === undefined ? 'gone' : 'stands');
  await report('T1');
  while ((await pending('T1'))?.step.type !== 'sweep') clock.now += (await advance('T1')) ?? 0;
  expect(state.replaced).toEqual(['T1']);
});

test('no bot takes the place of one where nobody serves the workspace, or its organization only lost it', async () => {
  const { store, report, seeThrough, state } = await createOrganizationHarness();
  await store.add(installation('T9'));
  await report('T9');
  await seeThrough('T9');
  await report('T1', true, 'E1');
  await seeThrough('T1', 'E1');
  expect(state.replaced).toEqual([]);
});
