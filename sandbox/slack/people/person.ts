/** A person with a Slack client. An action that the client would not allow throws a `PersonError`. */
import type { WaitOptions } from '../../lib/feed.ts';
import { decide, readAuthorizeRequest } from '../oauth/decide.ts';
import type { WorldWait } from '../reading.ts';
import { installationServing } from '../world/app/installations.ts';
import { findDirectMessage, isChannelVisible } from '../world/channels.ts';
import { ephemeralsFor } from '../world/messages.ts';
import type { Channel, Ephemeral, Message, User } from '../world/types.ts';
import { activeUser, channelCalled, type MessageRef, type PeopleContext, type Where } from './context.ts';
import { closeModal, submit } from './form/submit.ts';
import { click, fill, type Press, search } from './form/use-elements.ts';
import { runCommand, runMessageShortcut, runShortcut } from './invoke.ts';
import { type FieldValue, type HomeSeen, type ModalSeen, openHome, seeHome, seeModal } from './seen.ts';
import { deleteAsPerson, messagesSeen, postAsPerson, react, unreact } from './talk.ts';

/** Selects a modal by its callback id, by a text in its JSON, or by a predicate. */
type WantedModal = { callback: string } | { text: string } | ((modal: ModalSeen) => boolean);

export type Person = ReturnType<typeof createPerson>;

export function createPerson(context: PeopleContext, wait: WorldWait, id: string) {
  const self = () => activeUser(context, id);
  return {
    id,
    /** `person.command('/cancel-order A-1001', { channel: '#support' })` */
    command: (line: string, where: { channel: string }) => runCommand(context, self(), line, where),
    shortcut: (callbackId: string) => runShortcut(context, self(), callbackId),
    messageShortcut: (callbackId: string, where: MessageRef) =>
      runMessageShortcut(context, self(), callbackId, where),
    /** Fields are named by action_id, input block_id or label; options by value or label; null clears. */
    fill: (values: Record<string, FieldValue>, where?: Where) => fill(context, self(), values, where),
    search: (field: string, text: string, where?: Where) => search(context, self(), field, text, where),
    submit: async (values?: Record<string, FieldValue>) => {
      if (values) await fill(context, self(), values);
      return submit(context, self());
    },
    closeModal: (options: { all?: boolean } = {}) => closeModal(context, self(), options),
    /** Presses a button, named by action_id or label, in the topmost view or in a message. */
    click: (button: string, where?: Where, how: Omit<Press, 'where'> = {}) =>
      click(context, self(), button, { ...(where && { where }), ...how }),
    openHome: () => openHome(context, self()),
    say: (text: string, where: { channel: string; thread_ts?: string }) =>
      postAsPerson(context, self(), text, where),
    react: (reaction: string, where: MessageRef) => react(context, self(), reaction, where),
    unreact: (reaction: string, where: MessageRef) => unreact(context, self(), reaction, where),
    deleteMessage: (where: MessageRef) => deleteAsPerson(context, self(), where),
    /**
     * Allows or denies the app on the authorize page of this URL, for the person's own workspace or the one that is
     * given by its id. Returns the address that Slack sends the person back to.
     */
    authorize: (
      url: string,
      { team = self().team_id, allow = true }: { team?: string; allow?: boolean } = {},
    ) => {
      const asked = readAuthorizeRequest(context.world, new URL(url).searchParams);
      return decide(context, asked, { user: self(), team, allow });
    },
    ...createPersonalReading(context, wait, self),
  };
}

function createPersonalReading(context: PeopleContext, wait: WorldWait, self: () => User) {
  const { world } = context;
  const modal = () => seeModal(world, self().id);
  const home = () => seeHome(world, self());
  const ephemerals = (channel?: string) =>
    ephemeralsFor(world, self().id, channel && channelCalled(context, self(), channel).id);
  const directMessages = () => [...(botChannel(context, self())?.messages.values() ?? [])];
  const any = () => true;
  return {
    modal,
    /** Returns the page in the Home tab of the app; undefined: it has published none. */
    home,
    channels: () => [...world.channels.values()].filter((each) => isChannelVisible(each, self())),
    ephemerals,
    directMessages,
    messages: (channel: string) => messagesSeen(context, self(), channel),
    waitForHome: (matches: (home: HomeSeen) => boolean = any, options?: WaitOptions) =>
      wait(() => only(home(), matches), { awaited: 'page in the Home tab', ...options }),
    waitForModal: (wanted: WantedModal = any, options?: WaitOptions) =>
      wait(() => only(modal(), (seen) => isWanted(seen, wanted)), { awaited: 'modal', ...options }),
    waitForEphemeral: (matches: (message: Ephemeral) => boolean = any, options?: WaitOptions) =>
      wait(() => ephemerals().findLast(matches), { awaited: 'ephemeral message', ...options }),
    waitForDirectMessage: (matches: (message: Message) => boolean = any, options?: WaitOptions) =>
      wait(() => directMessages().findLast(matches), { awaited: 'direct message', ...options }),
  };
}

const only = <T>(seen: T | undefined, matches: (seen: T) => boolean): T | undefined =>
  seen !== undefined && matches(seen) ? seen : undefined;

function isWanted(seen: ModalSeen, wanted: WantedModal): boolean {
  if (typeof wanted === 'function') return wanted(seen);
  if ('callback' in wanted) return seen.callback_id === wanted.callback;
  return JSON.stringify(seen.view).includes(wanted.text);
}

function botChannel({ world }: PeopleContext, user: User): Channel | undefined {
  const bot = installationServing(world, user.team_id)?.bot_user_id;
  return bot === undefined ? undefined : findDirectMessage(world, user.id, bot);
}
