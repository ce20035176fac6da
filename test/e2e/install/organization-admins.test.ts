/** With the token of an organization Slack does not tell who administers a workspace. */
import { describe, expect, test } from 'vitest';
import { SEED_ENTERPRISE } from '../../../sandbox/slack/world/seed/enterprise.ts';
import { endpointAddress } from '../../../src/workspaces/connection/connection.ts';
import { connectIn, type Organization, startOrganization } from '../../support/e2e/install/organization.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { post } from '../../support/e2e/service-events.ts';
import { isTold } from '../../support/e2e/told.ts';
import { settingsValues } from '../../support/isolation/form-values.ts';
import { eventually } from '../../support/time/eventually.ts';

const { id: ORG, support: SUPPORT, returns: RETURNS, channels } = SEED_ENTERPRISE;

type Person = Organization['ida'];

/** Opens the settings, or reads why that is refused. */
async function openSettings(who: Person, channel: string = channels.support) {
  if (who.modal()) await who.closeModal({ all: true });
  await who.command('/countermand settings', { channel });
  return who.waitForModal(({ view }) => !JSON.stringify(view).includes('Loading the'));
}

const shown = ({ view }: Awaited<ReturnType<typeof openSettings>>) => JSON.stringify(view);
const ONLY = 'Only admins and owners of the organization';

/** Max is an admin of Returns, and a member of Support. */
function addMax({ slack }: Organization) {
  const elsewhere = { [SUPPORT]: 'member' } as const;
  const { id } = slack.admin.addUser({ team_id: RETURNS, name: 'max', role: 'admin', elsewhere });
  for (const channel of Object.values(channels)) slack.admin.invite(channel, id);
  return slack.person('max');
}

/** Ida sets a user group with Ivo as the admins of Support. */
async function setAdmins(harness: Organization) {
  const { ida, ivo, slack } = harness;
  const group = slack.admin.addUserGroup({ team_id: SUPPORT, name: 'Desk admins', users: [ivo.id] });
  await openSettings(ida);
  await ida.search('admins', 'Desk');
  expect((await ida.submit({ admins: group.id })).outcome).toBe('updated');
  return group;
}

/** Submits a form that names a user group as the admins, whether Slack would offer that or not. */
async function submitForged({ slack }: Organization, who: Person, group: string) {
  const { view } = await openSettings(who);
  const chosen = { type: 'external_select', selected_option: { value: group } };
  const values = { ...settingsValues({}), admins: { admins: chosen } };
  const body = {
    type: 'view_submission',
    team: null,
    enterprise: { id: ORG },
    is_enterprise_install: true,
    user: { id: who.id, team_id: SUPPORT },
    view: { ...view, id: 'V1', team_id: SUPPORT, app_installed_team_id: ORG, state: { values } },
  };
  return slack.sendCustom({ kind: 'interactivity', body });
}

describe('in an organization, an admin', () => {
  test('reads at its field that the user group of the admins cannot be read, and nothing is saved', async () => {
    const harness = await startOrganization();
    const answer = await submitForged(harness, harness.ida, 'S1> <!channel>');
    const body = expect.stringContaining('{"admins":"This user group is gone or cannot be read');
    expect(answer).toMatchObject({ status: 200, body });
    expect(await (await harness.terminal()).settings.read(SUPPORT)).not.toHaveProperty('admins');
  });

  test('of another workspace is no admin here, nor in that workspace: Slack does not tell of which one they are an admin', async () => {
    const harness = await startOrganization();
    const max = addMax(harness);
    for (const channel of [channels.support, channels.returns])
      await isTold(max, '/countermand settings', `${ONLY} can do this. Nothing was changed.`, channel);
    await isTold(max, '/countermand connect', ONLY, channels.support);
  });

  test('of a workspace that has an installation of its own is an admin there', async () => {
    const harness = await startOrganization();
    const max = addMax(harness);
    await openBrowser(harness).install('jan', { team: RETURNS });
    expect((await openSettings(max, channels.returns)).callback_id).toBe('settings');
    await isTold(max, '/countermand settings', ONLY, channels.support);
  });

  test('is a member of the user group that an admin of the organization sets, until the group changes', async () => {
    const harness = await startOrganization();
    const { ivo, slack } = harness;
    await isTold(ivo, '/countermand settings', ONLY, channels.support);
    const group = await setAdmins(harness);
    const settings = await openSettings(ivo);
    expect(settings.callback_id).toBe('settings');
    expect((await ivo.submit({ reasons: 'Too late' })).outcome).toBe('updated');
    slack.admin.setUserGroup(group.id, { users: [] });
    await eventually(async () => {
      if (ivo.modal()) await ivo.closeModal({ all: true });
      await ivo.command('/countermand settings', { channel: channels.support });
      expect(JSON.stringify([ivo.ephemerals().at(-1), ivo.modal()])).toContain(
        `and members of <!subteam^${group.id}> can do this`,
      );
    });
  });

  test('who is one by the user group sees who is, and cannot change it, even with a form of their own', async () => {
    const harness = await startOrganization();
    const { ivo, slack } = harness;
    const group = await setAdmins(harness);
    const other = slack.admin.addUserGroup({ team_id: SUPPORT, name: 'Friends', users: [ivo.id] });
    const settings = await openSettings(ivo);
    expect(shown(settings)).toContain(`members of <!subteam^${group.id}>. ${ONLY} can change this.`);
    expect(settings.values).not.toHaveProperty('admins');
    expect((await ivo.submit({ reasons: 'Too late' })).outcome).toBe('updated');

    const answer = await submitForged(harness, ivo, other.id);
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining(`${ONLY} can choose this`) });
    const stored = await (await harness.terminal()).settings.read(SUPPORT);
    expect(stored).toMatchObject({ admins: group.id, reasons: ['Too late'] });
  });

  test('keeps the user group when a member of it saves other settings', async () => {
    const harness = await startOrganization();
    const group = await setAdmins(harness);
    await openSettings(harness.ida);
    await harness.ida.submit({ reasons: 'Too dear' });
    const { settings } = await harness.terminal();
    expect(await settings.read(SUPPORT)).toMatchObject({ admins: group.id, reasons: ['Too dear'] });
  });

  test('is told of trouble, also one by the user group; nobody is who is an admin elsewhere', async () => {
    const harness = await startOrganization();
    const max = addMax(harness);
    await setAdmins(harness);
    await connectIn(harness, 'ida', channels.support);
    const { connections } = await harness.terminal();
    const connection = await connections.find(SUPPORT);
    const eventsUrl = `${harness.url}/events/${connection && endpointAddress(connection)}`;
    for (let n = 0; n < 3; n++) await post({ eventsUrl, secret: 'another one' }, { n });
    for (const who of [harness.ida, harness.ivo])
      await who.waitForDirectMessage(({ text }) => text.includes('had no valid signature'));
    expect(max.directMessages()).toEqual([]);
  });
});
