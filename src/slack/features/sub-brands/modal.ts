/** The list of sub-brands, with its search. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { SubBrand } from '../../../requests/ports/ports.ts';
import type { FoundSubBrands } from '../../../workspaces/sub-brands.ts';
import { text } from '../../blocks/fields.ts';
import { asJson, button, type FilledIn, form, noticeModal } from '../../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import { tryAgain } from '../../blocks/problems.ts';
import { code, context, escaped, LIMITS, section, sections, truncate } from '../../blocks/text.ts';

export const SUB_BRANDS_TITLE = 'Sub-brands';

const PAGE = 25;
const NAME_MAX = 80;

/** The part of the list that is shown. */
export type SubBrandsPage = { text: string; page: number };

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

/** Reads which part of the list is shown. @throws if it is not this modal: a fault */
export const readSubBrandsPage = FORM.readAbout;

/** Reads the search. @throws if it is not this modal: a fault */
export const readSubBrandsSearch = (view: FilledIn): string => FORM.read(view).values.text;

/** A fault that is in the log already, under this reference. */
type Fault = { type: 'unreachable' | 'failed'; reference: string };
type Shown = Exclude<FoundSubBrands, { error: Error }> | Fault;
type Problem = Exclude<Shown, { type: 'found' }>;

const PROBLEMS: Record<'none' | 'not_connected' | 'token_refused' | 'graphql_refused', string> = {
  none: 'Your organization has no sub-brands.',
  not_connected:
    'This workspace is not connected to the order service. An admin can connect it with /countermand connect.',
  token_refused:
    "The order service no longer accepts this workspace's token. Ask an admin to connect the workspace again with /countermand connect.",
  graphql_refused:
    "The order service refused this workspace's GraphQL token: REST endpoints are ending their support for GraphQL tokens. Ask an admin to connect a REST API token with /countermand connect.",
};

export function subBrandsModal(found: Shown, shown: SubBrandsPage): types.ModalView {
  if (found.type === 'found') return listModal(found.brands, shown);
  return noticeModal(SUB_BRANDS_TITLE, problemText(found));
}

function problemText(problem: Problem): string {
  switch (problem.type) {
    case 'refused':
      return refusedText(problem);
    case 'rate_limited':
      return `The order service had too many requests and did not take this one. ${tryAgain(problem.retryAfterMs)}`;
    case 'unreachable':
      return `The order service could not be reached. ${faultHelp(problem)}`;
    case 'failed':
      return `The order service gave no usable answer: it failed, or took too long. ${faultHelp(problem)}`;
    default:
      return PROBLEMS[problem.type];
  }
}

function faultHelp({ reference }: Fault): string {
  return `Nothing was changed. ${tryAgain(undefined)} If it happens again, give an admin this reference: ${reference}.`;
}

function refusedText({ code, message }: Extract<Problem, { type: 'refused' }>): string {
  return `The order service refused to list the sub-brands: “${escaped(message)}” (${escaped(code)}).`;
}

function listModal(brands: SubBrand[], { text, page }: SubBrandsPage): types.ModalView {
  const wanted = text.toLowerCase();
  const fitting = brands.filter(({ id, name }) => `${name}\n${id}`.toLowerCase().includes(wanted));
  const pages = Math.max(1, Math.ceil(fitting.length / PAGE));
  const current = Math.min(page, pages - 1);
  const shown = fitting.slice(current * PAGE, (current + 1) * PAGE);
  const blocks = [
    FORM.fields.text.block(text),
    ...(shown.length === 0 ? [section('No sub-brands match.')] : sections(shown.map(line))),
    context(`${count(fitting.length, brands.length)} · page ${current + 1} of ${pages}`),
    ...turning(current, pages),
  ];
  const about = { text: truncate(text, LIMITS.searchText), page: current };
  return FORM.view({ title: SUB_BRANDS_TITLE, submit: 'Search', blocks }, about);
}

function line({ id, name }: SubBrand): string {
  return `• ${escaped(truncate(name, NAME_MAX))} · ${code(truncate(id, NAME_MAX))}`;
}

function count(fitting: number, all: number): string {
  const [some, total] = [fitting.toLocaleString('en'), all.toLocaleString('en')];
  return fitting === all ? `${total} in all` : `${some} of ${total}`;
}

function turning(current: number, pages: number): types.ActionsBlock[] {
  const elements = [
    ...(current > 0
      ? [button(ACTIONS.subBrandsPrevious, 'Previous', { spoken: 'The previous sub-brands' })]
      : []),
    ...(current < pages - 1
      ? [button(ACTIONS.subBrandsNext, 'Next', { spoken: 'The next sub-brands' })]
      : []),
  ];
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}
