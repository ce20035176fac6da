import type { WaitOptions } from '../../lib/feed.ts';
import type { Option } from '../blocks/text.ts';
import { decide, readAuthorizeRequest } from '../oauth/decide.ts';
import type { WorldWait } from '../reading.ts';
import { installationServing } from '../world/app/installations.ts';
import { findDirectMessage, isChannelVisible } from '../world/channels.ts';
import type { Channel, Ephemeral, Message, User } from '../world/types.ts';
import { activeUser, channelCalled, type MessageRef, type PeopleContext, type Where } from './context.ts';
import { closeModal, type Submission, submit } from './form/submit.ts';
import { click, fill, search } from './form/use-elements.ts';
import { runCommand, runMessageShortcut, runShortcut } from './invoke.ts';
import {
  type ActionResult,
  type FieldValue,
  type HomeSeen,
  type ModalSeen,
  openHome,
  seeHome,
  seeModal,
} from './seen.ts';
import { deleteAsPerson, messagesSeen, postAsPerson, react, unreact } from './talk.ts';

/** A modal by its callback id, by a text of it as JSON has it, or by anything else. */
type WantedModal = { callback: string } | { text: string } | ((modal: ModalSeen) => boolean);

/** A person with a Slack client. An action that the client would not allow throws a `PersonError`. */
export type Person = Eyes & {
  readonly id: string;
  /** `person.command('/cancel-order A-1001', { channel: '#support' })` */
  command(line: string, where: { channel: string }): Promise<ActionResult>;
  shortcut(callbackId: string): Promise<ActionResult>;
  messageShortcut(callbackId: string, where: MessageRef): Promise<ActionResult>;

  /** Fields are named by action_id, input block_id or label; options by value or label; null clears. */
  fill(values: Record<string, FieldValue>, where?: Where): Promise<ActionResult>;
  search(field: string, text: string, where?: Where): Promise<ActionResult & { options: Option[] }>;
  /** Enters the given values, then submits the topmost view. */
  submit(values?: Record<string, FieldValue>): Promise<Submission>;
  closeModal(options?: { all?: boolean }): Promise<ActionResult>;
  /** Presses a button, named by action_id or label, in the topmost view or in a message. */
  click(
    button: string,
    where?: Where,
    options?: { option?: string; confirm?: boolean },
  ): Promise<ActionResult>;

  /** Opens the Home tab of the app, which Slack tells it. */
  openHome(): void;

  say(text: string, where: { channel: string; thread_ts?: string }): Message;
  react(reaction: string, where: MessageRef): void;
  unreact(reaction: string, where: MessageRef): void;
  deleteMessage(where: MessageRef): void;

  /**
   * Allows or denies the app on the authorize page of this URL, for the person's own workspace or the one that is
   * given by its id. Returns the address that Slack sends the person back to.
   */
  authorize(url: string, options?: { team?: string; allow?: boolean }): string;
};

/** The eyes of a person: all that they see and wait for. */
type Eyes = {
  modal(): ModalSeen | undefined;
  /** Returns the page in the Home tab of the app; undefined: it has published none. */
  home(): HomeSeen | undefined;
  /** Returns the channels and direct messages that they can see. */
  channels(): Channel[];
  messages(channel: string): Message[];
  ephemerals(channel?: string): Ephemeral[];
  /** Returns the messages of the direct message with the app's bot, if there is one. */
  directMessages(): Message[];
  waitForHome(matches?: (home: HomeSeen) => boolean, options?: WaitOptions): Promise<HomeSeen>;
  waitForModal(wanted?: WantedModal, options?: WaitOptions): Promise<ModalSeen>;
  waitForEphemeral(matches?: (message: Ephemeral) => boolean, options?: WaitOptions): Promise<Ephemeral>;
  waitForDirectMessage(matches?: (message: Message) => boolean, options?: WaitOptions): Promise<Message>;
};

export function createPerson(context: PeopleContext, wait: WorldWait, id: string): Person {
  const self = () => activeUser(context, id);
  return {
    id,
    command: (line, where) => runCommand(context, self(), line, where),
    shortcut: (callbackId) => runShortcut(context, self(), callbackId),
    messageShortcut: (callbackId, where) => runMessageShortcut(context, self(), callbackId, where),
    fill: (values, where) => fill(context, self(), values, where),
    search: (field, text, where) => search(context, self(), field, text, where),
    submit: async (values) => {
      if (values) await fill(context, self(), values);
      return submit(context, self());
    },
    closeModal: (options = {}) => closeModal(context, self(), options),
    click: (button, where, options = {}) =>
      click(context, self(), button, { ...(where && { where }), ...options }),
    openHome: () => openHome(context, self()),
    say: (text, where) => postAsPerson(context, self(), text, where),
    react: (reaction, where) => react(context, self(), reaction, where),
    unreact: (reaction, where) => unreact(context, self(), reaction, where),
    deleteMessage: (where) => deleteAsPerson(context, self(), where),
    authorize: (url, { team = self().team_id, allow = true } = {}) => {
      const asked = readAuthorizeRequest(context.world, new URL(url).searchParams);
      return decide(context, asked, { user: self(), team, allow });
    },
    ...createEyes(context, wait, self),
  };
}

function createEyes(context: PeopleContext, wait: WorldWait, self: () => User): Eyes {
  const { world } = context;
  const modal = () => seeModal(world, self().id);
  const home = () => seeHome(context, self());
  const ephemerals = (channel?: string) => {
    const id = channel === undefined ? undefined : channelCalled(context, self(), channel).id;
    return world.ephemerals.filter(
      (each) => each.user === self().id && (id === undefined || each.channel === id),
    );
  };
  const directMessages = () => [...(botChannel(context, self())?.messages.values() ?? [])];
  const any = () => true;
  return {
    modal,
    home,
    channels: () => [...world.channels.values()].filter((each) => isChannelVisible(each, self())),
    ephemerals,
    directMessages,
    messages: (channel) => messagesSeen(context, self(), channel),
    waitForHome: (matches = any, options) =>
      wait(() => only(home(), matches), { awaited: 'page in the Home tab', ...options }),
    waitForModal: (wanted = any, options) =>
      wait(() => only(modal(), (seen) => isWanted(seen, wanted)), { awaited: 'modal', ...options }),
    waitForEphemeral: (matches = any, options) =>
      wait(() => ephemerals().findLast(matches), { awaited: 'ephemeral message', ...options }),
    waitForDirectMessage: (matches = any, options) =>
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
