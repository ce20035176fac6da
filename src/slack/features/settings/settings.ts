/** `/countermand settings`, its form, and its buttons that pause and resume sending. */
import type { types, webApi } from '@slack/bolt';
import type { ChangedSettings } from '../../../requests/model/audit-entry.ts';
import type { InForce } from '../../../requests/ports/ports.ts';
import { idsInMessage } from '../../../requests/use-cases/addresses.ts';
import type { PauseResult } from '../../../requests/use-cases/pause-sending.ts';
import { channelProblem, maySetAdmins } from '../../../requests/use-cases/who-may.ts';
import { GENERAL_SETTINGS, type GeneralSettings, type Shown } from '../../../workspaces/settings-record.ts';
import { type FieldErrors, textModal, withBlocks } from '../../blocks/forms.ts';
import { CALLBACKS } from '../../blocks/ids.ts';
import { fieldTexts } from '../../blocks/problems.ts';
import { escaped, listed, section } from '../../blocks/text.ts';
import { nameGroup, type UserGroup } from '../../directory/read-people.ts';
import { settingLines } from '../../messages/sentences/settings-texts.ts';
import { adminsOnly, adminsOnlyRefusal, isAdmin } from '../admin-only.ts';
import { refusal, textInstead } from '../answers.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  momentOf,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { byClick, type Opener, openModal, type Replaced, replaceView } from '../views.ts';
import { type PauseOrResume, pauseText } from './lines.ts';
import {
  conflictErrors,
  patternMistake,
  readSettings,
  SETTINGS_TITLE,
  settingsErrors,
  settingsModal,
  TRY_BLOCK,
  versionShown,
} from './settings-form.ts';

export const OPENING_SETTINGS = { title: SETTINGS_TITLE, meanwhile: 'Loading the settings…' };

export const settingsFor = async (
  deps: ListenerDeps,
  { workspace, user: by, client }: Opener,
): Promise<types.ModalView> =>
  drawSettings(deps, client, { workspace, by }, await deps.settingsInForce(workspace));

/** Draws the form: with the names of user groups, and with what the person (`by`) may change. */
async function drawSettings(
  { directory }: Pick<ListenerDeps, 'directory'>,
  client: webApi.WebClient,
  { workspace, by }: { workspace: string; by: string },
  inForce: InForce,
): Promise<types.ModalView> {
  const named = async (group: string | undefined): Promise<UserGroup | undefined> =>
    group === undefined ? undefined : nameGroup(client, workspace, group);
  const requesters = await named(inForce.settings.requesters);
  if (!(await directory.isOrgWide(workspace))) return settingsModal(inForce, { requesters });
  const group = await named(inForce.settings.admins);
  const isEditable = await maySetAdmins({ directory }, workspace, await directory.person(workspace, by));
  return settingsModal(inForce, { requesters, admins: { group, isEditable } });
}

/** The versions of the settings that a form shows, and that the settings beneath it show. */
type Beneath = { shown?: Shown; beneath?: Shown };

/**
 * The version that the settings beneath a form show once the form is saved. Settings that were outdated already stay so: the
 * admin has not seen what has changed.
 */
export const shownAfter = ({ shown, beneath }: Beneath, saved: Shown): Shown =>
  beneath === shown ? saved : beneath;

/** Shows the settings as they are now in a modal that lies beneath another. `shown`: the version that its inputs show. */
export async function showSettings(
  deps: ListenerDeps,
  client: webApi.WebClient,
  who: { workspace: string; by: string },
  { opened, shown }: { opened: Replaced; shown: Shown },
): Promise<void> {
  const settings = await deps.settings(who.workspace);
  const view = await drawSettings(deps, client, who, { settings, version: shown });
  await replaceView(client, opened, view);
}

/** The settings in force now, of those that were changed. */
export function savedSettingsTexts(settings: GeneralSettings, changed: ChangedSettings): string[] {
  const names = GENERAL_SETTINGS.filter((name) => name in changed);
  return ['Saved. In force now:', ...settingLines(settings, names).map((line) => `• ${line}`)];
}

const NOTHING_CHANGED =
  'Nothing was changed in this form. Approvals and replies to customers are saved in forms of their own.';

export function settingsSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  return adminsOnly(SETTINGS_TITLE, deps, async ({ ack, body, view, context }) => {
    const { settings, shown, errors } = readSettings(view);
    const workspace = workspaceOf(context);
    const [channel, admins] = await Promise.all([
      notificationsErrors(deps, workspace, settings.notificationsChannel),
      'admins' in settings ? adminsErrors(deps, workspace, body.user.id) : {},
    ]);
    const refused = refusal(errors, channel, admins);
    if (refused) return ack(refused);
    const saved = await deps.saveSettings(workspace, settings, shown, body.user.id);
    switch (saved.type) {
      case 'saved':
        return ack(textInstead(SETTINGS_TITLE, ...savedSettingsTexts(settings, saved.changed)));
      case 'unchanged':
        return ack(textInstead(SETTINGS_TITLE, NOTHING_CHANGED));
      case 'conflict':
        return ack({ response_action: 'errors', errors: conflictErrors(saved.names) });
    }
  });
}

/** Whether a person may choose who administers the workspace. @returns the refusal, at its field */
async function adminsErrors(
  { directory }: Pick<ListenerDeps, 'directory'>,
  workspace: string,
  by: string,
): Promise<FieldErrors> {
  const may = await maySetAdmins({ directory }, workspace, await directory.person(workspace, by));
  return may ? {} : settingsErrors({ admins: ADMINS_OF_ORGANIZATION });
}

export const ADMINS_OF_ORGANIZATION: string =
  'Only admins and owners of the organization can choose this, so nothing was saved. Ask one of them.';

/** Whether the bot will be able to write into the notifications channel. @returns what is wrong with it, at its field */
async function notificationsErrors(
  { directory }: Pick<ListenerDeps, 'directory'>,
  workspace: string,
  channel: string | undefined,
): Promise<FieldErrors> {
  if (channel === undefined) return {};
  const problem = channelProblem(await directory.channel(workspace, channel));
  return settingsErrors({ notificationsChannel: fieldTexts({ channel: problem }).channel });
}

const PAUSE_TITLE: Record<PauseOrResume, string> = {
  pauseSending: 'Pause sending',
  resumeSending: 'Resume sending',
};

/** Tells the outcome on top of the settings, which then show it, too. */
export function pauseAction(change: PauseOrResume, deps: ListenerDeps): Listener<ActionArgs> {
  return async (args) => {
    const { ack, action, body, client, context } = args;
    await ack();
    const who = { workspace: workspaceOf(context), by: body.user.id };
    const title = PAUSE_TITLE[change];
    // Begun at once: what an admin wants to stop does not wait for a window.
    const changing = changed(change, deps, { ...who, moment: momentOf(action) });
    const settled = changing.catch(() => undefined);
    await openModal(deps, byClick(args), { title, meanwhile: 'One moment…' }, async () => {
      const result = await changing;
      const text = result ? pauseText(change, result) : await adminsOnlyRefusal(deps, who.workspace);
      return textModal(title, text);
    });
    const result = await settled;
    if (!result) return;
    const beneath = versionShown(body);
    await showSettings(deps, client, who, {
      opened: { id: body.view?.id, external_id: body.view?.external_id },
      shown: shownAfter({ shown: result.former, beneath }, result.version),
    });
    await deps.showPause(who.workspace);
  };
}

/** @returns undefined if the person is no admin, and nothing was changed */
async function changed(
  change: PauseOrResume,
  deps: ListenerDeps,
  click: { workspace: string; by: string; moment: number | undefined },
): Promise<PauseResult | undefined> {
  const { workspace, by, moment } = click;
  if (!(await isAdmin(deps, workspace, by))) return undefined;
  return deps[change]({ workspace, by, ...(moment !== undefined && { moment }) });
}

/** "Try it": tells which ids the pattern finds in a text, as the shortcut of a message finds them. */
export const tryPatternAction: Listener<ActionArgs> = async ({ ack, body, client }) => {
  await ack();
  const { view } = body;
  if (view?.callback_id !== CALLBACKS.settings) throw new Error("Slack's payload has no settings to update.");
  const { sample, settings } = readSettings(view);
  const said = patternMistake(settings.orderIdPattern ?? '') ?? foundText(sample, settings);
  const result = { ...section(said), block_id: 'try_pattern_result' };
  const blocks = (view.blocks as types.KnownBlock[])
    .filter(({ block_id }) => block_id !== result.block_id)
    .flatMap((block) => (block.block_id === TRY_BLOCK ? [block, result] : [block]));
  const { id, external_id } = view;
  await replaceView(client, { id, external_id }, withBlocks(view, blocks));
};

export function foundText(sample: string, settings: Parameters<typeof idsInMessage>[2]): string {
  if (sample === '') return 'Write a text above, and press “Try it” again.';
  const ids = idsInMessage('cancel_order', sample, settings);
  return ids.length === 0
    ? 'I find no order id in this text.'
    : `I find in this text: ${listed(ids.map((id) => `*${escaped(id)}*`))}.`;
}
