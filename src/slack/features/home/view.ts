/** Draws a person's Home tab: the requests that wait for their decision, and their own; for admins, their part. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { parseJson } from '../../../json.ts';
import { KIND_NAMES } from '../../../requests/model/kinds.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import type { Pause } from '../../../requests/model/settings.ts';
import { STATES } from '../../../requests/model/states.ts';
import { OWN_GROUPS, type OwnGroup } from '../../../requests/store/subjects.ts';
import type { Home, HomeQuestion } from '../../../requests/use-cases/home.ts';
import { recordableActions } from '../../../requests/use-cases/possible-actions.ts';
import { rolesFor } from '../../../requests/use-cases/who-may.ts';
import { chooser, option } from '../../blocks/fields.ts';
import { button, buttonRow } from '../../blocks/forms.ts';
import { ACTIONS, newRequestAction } from '../../blocks/ids.ts';
import { ago, context, header, mention, section, time } from '../../blocks/text.ts';
import type { Linking } from '../../client/links.ts';
import { PageStart } from '../../listeners/listener.ts';
import {
  changeOfMindButtons,
  decisionButtons,
  recordOutcomeButton,
  requestAgainButton,
  retryButton,
  withdrawButton,
} from '../../messages/content/buttons.ts';
import { earlierRequests } from '../../messages/content/card.ts';
import { awaiting } from '../../messages/sentences/approval-texts.ts';
import { BARRIERS, personSentence } from '../../messages/sentences/problems.ts';
import { KIND_COPY, quote, threadLink, titleOf } from '../../messages/sentences/request-words.ts';
import { label, recordedNote, sentenceAtButtons } from '../../messages/sentences/sentences.ts';
import { type Administration, adminBlocks, alert, alerts, pausedText } from './admin-view.ts';

/** The person's choice on the tab; the rest is found anew each time. */
export type HomeChoice = Pick<HomeQuestion, 'filter' | 'own' | 'waiting'>;

export const FIRST_PAGE: HomeChoice = { filter: {} };

/** The beginning of a page of the person's requests, which stand in groups. */
export const OwnPage = z.object({ group: z.enum(OWN_GROUPS), before: PageStart });

/** The beginning of a page of the requests on which the person votes. */
export const WaitingPage = PageStart.extend({ approved: z.literal(true).optional() });

const Metadata: z.ZodType<HomeChoice> = z.object({
  filter: z.object({ group: z.enum(OWN_GROUPS).optional(), kind: z.enum(KIND_NAMES).optional() }),
  own: OwnPage.optional(),
  waiting: WaitingPage.optional(),
});

/** Reads what the tab showed; the first pages if the metadata is not ours. */
export const readHomeChoice = (metadata = ''): HomeChoice =>
  Metadata.safeParse(parseJson(metadata)).data ?? FIRST_PAGE;

/** The reason why no request of anybody is sent. */
export type Stop = { type: 'not_connected' | 'token_refused' } | { type: 'paused'; pause: Pause };

/** `said`: what the person has to read first. `administration`: only for admins, who read of a stop there. */
type Drawing = Linking & {
  shown: HomeChoice;
  said?: string | undefined;
  administration?: Administration | undefined;
  stop?: Stop | undefined;
};

/** @returns a view of at most a hundred blocks (https://docs.slack.dev/reference/views/home-tab-views) */
export function homeView(
  home: Home,
  { shown, said, administration, stop, ...linking }: Drawing,
): types.HomeView {
  const first = said ? [section(said)] : [];
  if (home.type === 'not_allowed') return homeTab(shown, [...first, section(personSentence(home.problem))]);
  return homeTab(shown, [
    ...first,
    ...(administration ? alerts(administration) : []),
    ...(stop ? alert(stop.type === 'paused' ? pausedText(stop.pause) : BARRIERS[stop.type]) : []),
    ...topBlocks(home.at),
    ...waitingBlocks(home, { shown, ...linking }),
    ...ownBlocks(home, { shown, ...linking }),
    ...(administration ? adminBlocks(administration, linking) : []),
  ]);
}

const homeTab = (shown: HomeChoice, blocks: types.KnownBlock[]): types.HomeView => ({
  type: 'home',
  private_metadata: JSON.stringify(shown),
  blocks,
});

type Page = Extract<Home, { type: 'page' }>;

function topBlocks(at: number): types.KnownBlock[] {
  const requests = KIND_NAMES.map((kind) => button(newRequestAction(kind), KIND_COPY[kind].title));
  const elements = [...requests, button(ACTIONS.homeRefresh, 'Refresh')];
  return [...buttonRow(elements), context(`As of ${time(at)}. Press Refresh to see what has changed since.`)];
}

function waitingBlocks(
  { waiting }: Page,
  { shown, ...linking }: Linking & Pick<Drawing, 'shown'>,
): types.KnownBlock[] {
  const { records, approved, next, leftOut } = waiting;
  const turned = shown.waiting !== undefined;
  const none = leftOut ? 'I found no request that waits for you.' : 'No request waits for your decision.';
  const nothing = turned || next ? 'No requests on this page wait for your decision.' : none;
  return [
    header('Waiting for you'),
    ...(records.length === 0 ? [section(nothing)] : []),
    ...records.flatMap((each) => toDecide(each, linking)),
    ...approved.flatMap((each) => toDecide(each, linking, true)),
    ...buttonRow([
      ...(turned
        ? [pageButton(ACTIONS.homeWaitingFirst, 'Oldest', 'The oldest requests that wait for you')]
        : []),
      ...(next
        ? [pageButton(ACTIONS.homeWaitingNext, 'Next', 'The next requests on which you can vote', next)]
        : []),
    ]),
    ...(leftOut ? [context(LEFT_OUT)] : []),
  ];
}

const LEFT_OUT =
  'I could not look up all approvers, so requests that wait for you may be missing here: look in the channels where you are asked.';

/** A request with what an approver needs to know, as in the channel. `isApproved`: they have approved it by button. */
function toDecide(
  record: RequestRecord,
  { linkTo, addresses }: Linking,
  isApproved = false,
): types.KnownBlock[] {
  const line = `${titleOf(record, addresses)}\nRequested by ${mention(record.requester)}, ${ago(record.createdAt)}${threadLink(linkTo(record))}`;
  return [
    section(`${line}\n${isApproved ? 'You have approved this. ' : ''}${awaiting(record)}`),
    ...quote(record),
    ...earlierRequests(record),
    ...buttonRow(isApproved ? changeOfMindButtons(record) : decisionButtons(record)),
  ];
}

function ownBlocks(
  { own: { records, next } }: Page,
  { shown, ...linking }: Linking & Pick<Drawing, 'shown'>,
): types.KnownBlock[] {
  const isFiltered = shown.filter.group !== undefined || shown.filter.kind !== undefined;
  const turned = shown.own !== undefined;
  const nothing =
    isFiltered || turned || next ? 'No requests of yours match.' : 'There are no requests of yours here.';
  return [
    header('Your requests'),
    filters(shown),
    ...(records.length === 0 ? [section(nothing)] : records.flatMap((each) => ownRequest(each, linking))),
    ...buttonRow([
      ...(turned ? [pageButton(ACTIONS.homeOwnFirst, 'Newest', 'Your newest requests')] : []),
      ...(next ? [pageButton(ACTIONS.homeOwnNext, 'Older', 'Your older requests', next)] : []),
    ]),
  ];
}

/** One of the person's own requests. An open one is explained in a sentence; if it has ended, its label says enough. */
function ownRequest(record: RequestRecord, { linkTo, addresses }: Linking): types.KnownBlock[] {
  const { state, createdAt } = record;
  const line = `${titleOf(record, addresses)} · ${label(record)}${recordedNote(record)} · ${ago(createdAt)}${threadLink(linkTo(record))}`;
  const text = STATES[state].slot ? `${line}\n${sentenceAtButtons(record)}` : line;
  return [section(text), ...buttonRow(ownButtons(record))];
}

function ownButtons(record: RequestRecord): types.Button[] {
  const [recordable] = recordableActions(record);
  const mayRecord = recordable !== undefined && rolesFor(record, recordable).includes('requester');
  return [
    ...retryButton(record),
    ...requestAgainButton(record),
    ...(mayRecord ? recordOutcomeButton(record) : []),
    ...(rolesFor(record, 'withdraw').includes('requester') ? withdrawButton(record) : []),
  ];
}

const ANY = 'any';

const GROUP_NAMES: Record<OwnGroup, string> = {
  unknown: 'Outcome unknown',
  open: 'Open',
  ended: 'Ended',
};

function filters({ filter: { group, kind } }: HomeChoice): types.ActionsBlock {
  const groups = OWN_GROUPS.map((name) => option(name, GROUP_NAMES[name]));
  const kinds = KIND_NAMES.map((name) => option(name, KIND_COPY[name].action));
  return {
    type: 'actions',
    elements: [
      chooser(ACTIONS.homeGroup, 'State', {
        options: [option(ANY, 'Any state'), ...groups],
        value: group ?? ANY,
      }),
      chooser(ACTIONS.homeKind, 'Kind', { options: [option(ANY, 'Any kind'), ...kinds], value: kind ?? ANY }),
    ],
  };
}

/** A button that turns the page of a list. @param start of the next page; undefined: the button leads to the first one */
const pageButton = (action: string, text: string, spoken: string, start?: object): types.Button =>
  button(action, text, { spoken, ...(start && { value: JSON.stringify(start) }) });
