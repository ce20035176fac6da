/** Lists the sub-brands of a workspace, by command, and searches them. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { reportFault } from '../../fault.ts';
import type { SubBrand } from '../../requests/ports/ports.ts';
import type { NotAllowed } from '../../requests/use-cases/who-may.ts';
import type { FoundSubBrands } from '../../workspaces/sub-brands.ts';
import { text } from '../blocks/fields.ts';
import { asJson, button, buttonRow, form, textModal, waitingModal } from '../blocks/forms.ts';
import { ACTIONS, CALLBACKS, COMMANDS } from '../blocks/ids.ts';
import { beginning, code, context, escaped, LIMITS, section, sections, truncate } from '../blocks/text.ts';
import { failureSentence } from '../listeners/answers.ts';
import {
  type ActionArgs,
  type CommandArgs,
  type Feature,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listeners/listener.ts';
import { byCommand, type Filling, openModal, redrawAfter, viewOf } from '../listeners/modals.ts';
import { replaceView } from '../listeners/redraw.ts';
import { LACKS_PERMISSION } from '../messages/sentences/answer-texts.ts';
import { personSentence, tryAgain } from '../messages/sentences/problems.ts';

export const subBrands: Feature = (deps) => ({
  commands: {
    [COMMANDS.subBrands]: {
      usage: '[text]',
      meaning: 'lists the sub-brands of your organization.',
      run: (args, text) => openSubBrands(deps, args, text),
    },
  },
  views: { [CALLBACKS.subBrands]: subBrandsSearch(deps) },
  actions: {
    [ACTIONS.subBrandsPrevious]: turnPage(-1, deps),
    [ACTIONS.subBrandsNext]: turnPage(1, deps),
  },
});

const TITLE = 'Sub-brands';

const PAGE_SIZE = 25;

/** The characters of a name or an id that are shown. */
const SHOWN_MAX = 80;

const FORM = form(
  CALLBACKS.subBrands,
  {
    text: text('sub_brands', {
      label: 'Search',
      placeholder: 'Part of a name or an id',
      optional: true,
      max: LIMITS.searchText,
    }),
  },
  asJson(z.object({ text: z.string(), page: z.number().int().min(0) }), { text: '', page: 0 }),
);

type Who = { workspace: string; requester: string };

/** The part of the list that is shown: a page, counted from 0, of the sub-brands with this text in their name or id. */
type Part = { text: string; page: number };

async function openSubBrands(deps: ListenerDeps, args: CommandArgs, typed: string): Promise<void> {
  const opener = byCommand(args);
  const who = { workspace: opener.workspace, requester: opener.user };
  const text = beginning(typed, LIMITS.searchText);
  const frame = { title: TITLE, meanwhile: 'Asking the order service…' };
  await openModal(deps, opener, frame, () => listFor(deps, who, { text, page: 0 }));
}

/** Searches the sub-brands. The order service may take longer than the 3 s for which Slack waits, so the modal waits first. */
function subBrandsSearch(deps: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, client, context, view }) => {
    const who = { workspace: workspaceOf(context), requester: body.user.id };
    const text = FORM.read(view).values.text;
    await ack({ response_action: 'update', view: waitingModal(TITLE, 'Searching…') });
    const shown = await subBrandsView(deps, who, { text, page: 0 });
    await replaceView({ client, workspace: who.workspace }, { id: view.id }, shown);
  };
}

const turnPage = (by: 1 | -1, deps: ListenerDeps): Listener<ActionArgs> =>
  redrawAfter(deps.redraw, ({ private_metadata }, { body, context }) => {
    const who = { workspace: workspaceOf(context), requester: body.user.id };
    const { text, page } = FORM.readAbout(private_metadata);
    return subBrandsView(deps, who, { text, page: Math.max(0, page + by) });
  });

/**
 * The view that replaces an open one. A failure is shown in it, because the open one may say "Searching…", and must not say so
 * for ever.
 */
async function subBrandsView(deps: ListenerDeps, who: Who, part: Part): Promise<types.ModalView> {
  const filled = await listFor(deps, who, part).catch((error) => ({
    refused: failureSentence(deps.log, error, { modal: TITLE }),
  }));
  return viewOf(TITLE, filled);
}

/** The list, or why this person must not see it: it is for people who may make requests. */
async function listFor(
  { subBrands, checkRequester, settings, log }: ListenerDeps,
  { workspace, requester }: Who,
  part: Part,
): Promise<Filling> {
  const barrier = await checkRequester({ workspace, requester, settings: await settings(workspace) });
  // Other barriers only keep requests from being sent. A problem with the connection is found by the read of the list.
  if (barrier?.type === 'not_allowed') return { refused: notForThem(barrier) };
  const found = await subBrands(workspace);
  if (!('error' in found)) return subBrandsModal(found, part);
  const reference = reportFault(log, found.error, { workspace, modal: TITLE });
  return subBrandsModal({ type: found.type, reference }, part);
}

function notForThem({ problem, group }: NotAllowed): string {
  const isAboutGroup = problem === 'not_in_group' || problem === 'group_unreadable';
  const outcome = 'Sub-brands are listed only for people who can make requests.';
  return personSentence(problem, isAboutGroup ? outcome : undefined, group);
}

/** A fault that is in the log already, under this reference. */
type Fault = { type: 'unreachable' | 'failed'; reference: string };
type Result = Exclude<FoundSubBrands, { error: Error }> | Fault;

const PROBLEMS: Record<'none' | 'not_connected' | 'token_refused' | 'graphql_refused', string> = {
  none: 'Your organization has no sub-brands.',
  not_connected:
    'This workspace is not connected to the order service, so its sub-brands cannot be listed. An admin can connect it with /countermand connect.',
  token_refused:
    "The order service no longer accepts this workspace's token. Ask an admin to connect the workspace again with /countermand connect.",
  graphql_refused:
    "The order service refused this workspace's GraphQL token: REST endpoints are ending their support for GraphQL tokens. Ask an admin to connect a REST API token with /countermand connect.",
};

export function subBrandsModal(found: Result, part: Part): types.ModalView {
  if (found.type === 'found') return listModal(found.brands, part);
  return textModal(TITLE, problemText(found));
}

const NOT_ALLOWED = `${LACKS_PERMISSION.why}${LACKS_PERMISSION.help}, with /countermand connect.`;

function problemText(problem: Exclude<Result, { type: 'found' }>): string {
  switch (problem.type) {
    case 'refused': {
      const { message, code, status } = problem;
      const help =
        code === 'FORBIDDEN' ? NOT_ALLOWED : `${tryAgain(undefined)} If it happens again, tell an admin.`;
      const why = message === undefined ? 'it gave no reason' : `“${escaped(message)}”`;
      return `The order service refused to list the sub-brands: ${why} (${escaped(code ?? `HTTP ${status}`)}). ${help}`;
    }
    case 'rate_limited':
      return `The order service had too many requests and did not take this one. ${tryAgain(problem.retryAfterMs)}`;
    case 'unreachable':
      return `The order service could not be reached. ${faultHelp(problem)}`;
    case 'failed':
      return `The order service gave no usable answer. ${faultHelp(problem)}`;
    default:
      return PROBLEMS[problem.type];
  }
}

function faultHelp({ reference }: Fault): string {
  return `${tryAgain(undefined)} If it happens again, give an admin this reference: ${reference}.`;
}

function listModal(brands: SubBrand[], { text, page }: Part): types.ModalView {
  const wanted = text.toLowerCase();
  const fitting = brands.filter(({ id, name }) => `${name}\n${id}`.toLowerCase().includes(wanted));
  const pages = Math.max(1, Math.ceil(fitting.length / PAGE_SIZE));
  const current = Math.min(page, pages - 1);
  const shown = fitting.slice(current * PAGE_SIZE, (current + 1) * PAGE_SIZE);
  const blocks = [
    FORM.fields.text.block(text),
    ...(shown.length === 0 ? [section('No sub-brands match.')] : sections(shown.map(line))),
    context(
      `${count(fitting.length, brands.length)}${pages === 1 ? '' : ` · page ${current + 1} of ${pages}`}`,
    ),
    ...pageButtons(current, pages),
  ];
  return FORM.view({ title: TITLE, submit: 'Search', blocks }, { text, page: current });
}

function line({ id, name }: SubBrand): string {
  return `• ${escaped(truncate(name, SHOWN_MAX))} · ${code(truncate(id, SHOWN_MAX))}`;
}

function count(fitting: number, all: number): string {
  const [some, total] = [fitting.toLocaleString('en'), all.toLocaleString('en')];
  return fitting === all ? `${total} in all` : `${some} of ${total}`;
}

function pageButtons(current: number, pages: number): types.ActionsBlock[] {
  const previous = button(ACTIONS.subBrandsPrevious, 'Previous', { spoken: 'The previous sub-brands' });
  const next = button(ACTIONS.subBrandsNext, 'Next', { spoken: 'The next sub-brands' });
  return buttonRow([...(current > 0 ? [previous] : []), ...(current < pages - 1 ? [next] : [])]);
}
