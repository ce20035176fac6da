/** Tells the status of a request: in the answer to a command, or in a modal. */
import type { types } from '@slack/bolt';
import { withPause } from '../../requests/model/acts.ts';
import { withoutReasons } from '../../requests/model/channels.ts';
import { currentStep, type RequestRecord } from '../../requests/model/record.ts';
import type { Settings } from '../../requests/model/settings.ts';
import type { Addresses } from '../../requests/use-cases/addresses.ts';
import { plainModal } from '../blocks/forms.ts';
import { COMMANDS } from '../blocks/ids.ts';
import {
  context,
  escaped,
  LIMITS,
  type Message,
  mention,
  section,
  sections,
  textMessage,
  time,
  truncate,
} from '../blocks/text.ts';
import { type Linking, linkingOf } from '../client/links.ts';
import { answerCommand } from '../listeners/answers.ts';
import { type CommandArgs, type Feature, type ListenerDeps, workspaceOf } from '../listeners/listener.ts';
import type { ModalAboutRequest } from '../listeners/modals.ts';
import { personSentence } from '../messages/sentences/problems.ts';
import {
  KIND_COPY,
  ONLY_NEWEST,
  quote,
  requestedBy,
  targetText,
  threadLink,
  titleOf,
} from '../messages/sentences/request-words.ts';
import { manualResultText, noRequestText } from '../messages/sentences/result-texts.ts';
import { label, recordedNote, sentence } from '../messages/sentences/sentences.ts';
import { newestLines, timeline } from './timeline.ts';

export const status: Feature = (deps) => ({
  subcommands: {
    status: {
      usage: '<id>',
      meaning: 'shows the status of a request, by its id or by the id of the order or offer.',
      run: (args, query) => answerCommand(deps, args, answer(deps, args, query)),
    },
  },
});

async function answer(
  deps: ListenerDeps,
  { command, context }: CommandArgs,
  query: string,
): Promise<Message> {
  if (query === '') return textMessage(WHICH);
  const workspace = workspaceOf(context);
  const found = await deps.lookUp({ workspace, user: command.user_id, query });
  switch (found.type) {
    case 'found':
      return statusMessage(await statusOf(deps, found));
    case 'several':
      return severalMessage(found, await linkingOf(deps, workspace));
    case 'none':
      return textMessage(noRequestText(query));
    case 'not_allowed':
      return textMessage(personSentence(found.problem));
  }
}

const WHICH = `Which request? Type \`${COMMANDS.countermand} status\` and the id from the card, or the id of the order or offer.`;

/** The modal with the whole status of a request, opened from the list of requests. */
export const DETAILS: ModalAboutRequest = {
  title: 'Details',
  async fill(deps, { who: { workspace, id, by } }) {
    const found = await deps.lookUp({ workspace, user: by, query: id });
    if (found.type === 'not_allowed') return { refused: personSentence(found.problem) };
    if (found.type !== 'found') return { refused: manualResultText({ type: 'not_found' }) };
    return detailsModal(await statusOf(deps, found));
  },
};

/** Adds the link to the card and the settings in force to a request that was found. */
async function statusOf(
  { links, settings }: ListenerDeps,
  found: Pick<StatusView, 'record' | 'showsReason'>,
): Promise<StatusView> {
  const { record } = found;
  const [link, inForce] = await Promise.all([links.toCard(record), settings(record.workspace)]);
  return { ...found, link, settings: inForce };
}

/** The most blocks of a modal (https://docs.slack.dev/reference/views/modal-views). */
const MOST_BLOCKS = 100;

export function detailsModal(view: StatusView): types.ModalView {
  const whole = statusBlocks(view, true);
  return plainModal(DETAILS.title, whole.length > MOST_BLOCKS ? statusBlocks(view) : whole);
}

type StatusView = {
  record: RequestRecord;
  showsReason: boolean;
  link: string | undefined;
  settings?: Addresses & Pick<Settings, 'paused'>;
};

/** The status as a message. In blocks, a long reason does not cut off the history. */
export function statusMessage(view: StatusView): Message {
  return {
    text: truncate(headOf(view), LIMITS.messageText),
    blocks: statusBlocks(view),
  };
}

/** @param isWhole whether every line and every try is listed, for which a message has no room */
function statusBlocks(view: StatusView, isWhole = false): types.KnownBlock[] {
  const { record, showsReason, link } = view;
  const lines = timeline(record, isWhole);
  return [
    section(headOf(view, view.settings)),
    ...(showsReason ? quote(record) : [context(UNSHOWN)]),
    context(`${requestedBy(record, ` in <#${record.channel}>`)}${threadLink(link)}`),
    ...sections(['*History*', ...(isWhole ? lines : newestLines(lines))]),
  ];
}

/** @param addresses to which the id links */
function headOf({ record: stored, showsReason, settings }: StatusView, addresses?: Addresses): string {
  const record = withPause(stored, settings?.paused, stored.createdAt);
  const shown = showsReason ? record : withoutReasons(record);
  const now = sentence(shown, currentStep(shown));
  return `${titleOf(record, addresses)} · ${label(record)}${recordedNote(record)}\n${now}`;
}

const UNSHOWN = 'Only the requester, approvers, admins and members of the channel can read the reason.';

/** Lists several requests for one id, a line each. `isMore`: whether there are older ones. */
export function severalMessage(
  { records, isMore = false }: { records: readonly RequestRecord[]; isMore?: boolean },
  linking: Linking,
): Message {
  const about = `There are several requests for ${escaped(records[0]?.target ?? 'this id')}, newest first:`;
  const lines = (links: Linking) => [
    about,
    ...records.map((record) => lineOf(record, links)),
    ...(isMore ? [ONLY_NEWEST] : []),
  ];
  const { linkTo } = linking;
  return {
    text: truncate(lines({ linkTo }).join('\n'), LIMITS.messageText),
    blocks: sections(lines(linking)),
  };
}

const lineOf = (record: RequestRecord, { linkTo, addresses }: Linking): string =>
  `• \`${record.id}\` ${KIND_COPY[record.kind].action} ${targetText(record, addresses)} · ${label(record)}${recordedNote(record)} · ${time(record.createdAt)} · ${mention(record.requester)}${threadLink(linkTo(record))}`;
