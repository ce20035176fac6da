/** Sends what a hostile member could make Slack send: correctly signed for their own workspace, with forged content. */
import { readModal } from '../../../sandbox/slack/blocks/validate.ts';
import type { CustomRequest } from '../../../sandbox/slack/delivery/app-connection.ts';
import {
  commandPayload,
  interactionBase,
  type PayloadContext,
  triggerField,
} from '../../../sandbox/slack/delivery/payloads.ts';
import { createResponseUrl } from '../../../sandbox/slack/delivery/respond.ts';
import { presentView } from '../../../sandbox/slack/present.ts';
import { openModal } from '../../../sandbox/slack/views/views.ts';
import { installationServing } from '../../../sandbox/slack/world/app/installations.ts';
import { channelOf } from '../../../sandbox/slack/world/channels.ts';
import { userOf } from '../../../sandbox/slack/world/users.ts';
import type { World } from '../../../sandbox/slack/world/world.ts';
import type { Harness } from '../e2e/harness.ts';
import type { Connected } from './two-workspaces.ts';

type Fields = Record<string, unknown>;

/** The forged fields, of the view and of the payload itself. */
type FormFields = { metadata?: string; values?: object; view?: Fields; payload?: Fields };

type PressFields = FormFields & { value?: string; option?: string; on?: { channel: string; ts: string } };

export type Caller = ReturnType<typeof callerFrom<Connected>>;

/** Each function resolves with the immediate answer: the status and the body. */
export function callerFrom<S extends Pick<Connected, 'team' | 'channel'>>(
  { slack, url }: Pick<Harness, 'slack' | 'url'>,
  side: S,
  user: string,
) {
  const { world } = slack;
  const context = { world, origin: new URL(slack.apiUrl).origin, app: servingIn(world, side.team) };
  const { about, ownView, inView, onMessage } = forgedParts(context, user, side.channel);
  const sent: string[] = [];

  async function send(forged: CustomRequest): Promise<string> {
    sent.push(JSON.stringify(forged.body));
    const result = await slack.sendCustom(forged);
    return result.ended === 'answered' ? `${result.status} ${result.body}` : result.ended;
  }

  return {
    side,
    user,
    /** Everything that the caller has sent, as one text. */
    sent: () => sent.join('\n'),
    command(line: string, payload: Fields = {}) {
      const [command = '', ...words] = line.split(' ');
      const channel = channelOf(world, side.channel);
      const body = commandPayload(context, {
        user: userOf(world, user),
        channel,
        command,
        text: words.join(' '),
      });
      return send({ kind: 'command', body: { ...body, ...payload } });
    },
    /** A shortcut of Slack's own menu or, with a message, of that message. */
    shortcut(callback_id: string, message?: { channel: string; ts: string; text: string }) {
      const on = message && {
        channel: { id: message.channel, name: 'any' },
        message: { type: 'message', user, ts: message.ts, text: message.text },
        message_ts: message.ts,
      };
      const type = message ? 'message_action' : 'shortcut';
      const body = { type, ...about(), ...on, callback_id, action_ts: world.nextTs() };
      return send({ kind: 'interactivity', body });
    },
    submit(callback: string, fields: FormFields) {
      const view = ownView(callback, fields);
      const body = { type: 'view_submission', ...about(view.id), view, response_urls: [], ...fields.payload };
      return send({ kind: 'interactivity', body });
    },
    press(action_id: string, { value, option, on, ...fields }: PressFields) {
      const where = on ? onMessage(on) : inView(fields);
      const action = { type: 'button', action_id, block_id: 'any', action_ts: world.nextTs() };
      const selected_option = option === undefined ? {} : { selected_option: { value: option } };
      const actions = [{ ...action, ...(value === undefined ? {} : { value }), ...selected_option }];
      return send({
        kind: 'interactivity',
        body: { type: 'block_actions', ...where, actions, ...fields.payload },
      });
    },
    search(action_id: string, value: string, fields: FormFields = {}) {
      const body = { type: 'block_suggestion', ...inView(fields), action_id, block_id: action_id, value };
      return send({ kind: 'interactivity', body });
    },
    event(event: Fields & { type: string }, payload: Fields = {}) {
      const body = eventPayload(context, event);
      return send({ kind: 'event', body: { ...body, ...payload } });
    },
    async fetch(path: string, init: RequestInit = {}) {
      sent.push(`${path} ${String(init.body ?? '')}`);
      const response = await fetch(new URL(path, url), { ...init, redirect: 'manual' });
      return `${response.status} ${await response.text()}`;
    },
  };
}

/** The parts of a payload of a person, with what they forged in it. */
function forgedParts(context: PayloadContext, user: string, channel: string) {
  const { world, origin, app } = context;
  const { team_id } = app;
  const me = userOf(world, user);
  const about = (view_id?: string) => ({
    ...interactionBase(context, me),
    ...triggerField(context, me, { channel, view_id }),
  });

  /** A modal that the person really has open, so that they see the bot's answer in it. */
  function ownView(callback: string, { metadata = '', values = {}, view = {} }: FormFields) {
    const open = openModal(world, { user, team_id, channel }, ANY_MODAL);
    return {
      ...presentView(open),
      callback_id: callback,
      private_metadata: metadata,
      state: { values },
      ...view,
    };
  }

  return {
    about,
    ownView,
    inView(fields: FormFields) {
      const view = ownView('', fields);
      const top = world.modals.get(user)?.at(-1);
      return { ...about(top), container: { type: 'view', view_id: view.id }, view };
    },
    /** The answer comes to the person in their own channel, whatever channel the forged message names. */
    onMessage({ channel: id, ts }: { channel: string; ts: string }) {
      return {
        ...about(),
        container: { type: 'message', message_ts: ts, channel_id: id, is_ephemeral: false },
        channel: { id, name: 'any' },
        message: { type: 'message', ts, text: '', user: app.bot_user_id },
        response_url: origin + createResponseUrl(world, { team_id, channel, user }, 'actions'),
      };
    },
  };
}

/** An event of Slack to the app of the caller's own workspace. */
function eventPayload({ world, app }: PayloadContext, event: Fields & { type: string }) {
  const { team_id, app_id, bot_user_id: user_id } = app;
  const authorization = {
    enterprise_id: null,
    team_id,
    user_id,
    is_bot: true,
    is_enterprise_install: false,
  };
  const ids = { event_id: world.nextId('Ev'), event_time: Math.floor(world.now() / 1_000) };
  const authorizations = ENDS_AUTHORIZATION.has(event.type) ? {} : { authorizations: [authorization] };
  return { type: 'event_callback', team_id, api_app_id: app_id, event, ...ids, ...authorizations };
}

function servingIn(world: World, team: string) {
  const app = installationServing(world, team);
  if (!app) throw new Error(`the app is not installed in ${team}`);
  return app;
}

/** The events after which nothing is authorized any more (sandbox/slack/delivery/events.ts). */
const ENDS_AUTHORIZATION = new Set(['app_uninstalled', 'tokens_revoked']);

const ANY_MODAL = readModal({
  type: 'modal',
  title: { type: 'plain_text', text: 'Any' },
  blocks: [{ type: 'section', text: { type: 'plain_text', text: 'Any' } }],
});
