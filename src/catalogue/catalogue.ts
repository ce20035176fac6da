/**
 * Lists what the bot can say, rendered from examples by the functions that render everything: `countermand doctor --messages`
 * has Slack judge it, and `npm run sentences` prints it.
 */
import { KIND_NAMES } from '../requests/model/kinds.ts';
import { KIND_COPY } from '../slack/blocks/kind-copy.ts';
import * as admins from './admins.ts';
import * as agents from './agents.ts';
import * as answers from './answers.ts';
import * as approvals from './approvals.ts';
import type { Surface } from './examples.ts';
import { homeTab } from './home.ts';
import { examplesOf, headingOf, surfacesOf } from './requests.ts';
import { settings } from './settings.ts';

export type Section = { heading: string; surfaces: Surface[] };

/** All but what a request says in each of its states. */
export const general = (): Section[] => [
  { heading: 'Messages to the approvers', surfaces: approvals.approvalMessages() },
  { heading: 'Notes about a request', surfaces: approvals.notes() },
  { heading: 'Private answers to a vote or a reason', surfaces: approvals.voteTexts() },
  { heading: 'Forms of a request, and mistakes in them', surfaces: agents.requestForms() },
  { heading: 'Reasons why somebody cannot make a request', surfaces: agents.barriers() },
  { heading: 'Conflicts between requests', surfaces: agents.conflicts() },
  { heading: 'Reply to the customer', surfaces: agents.customerReplies() },
  { heading: 'Direct messages to the requester', surfaces: agents.directTexts() },
  { heading: 'Status, history and sub-brands', surfaces: answers.lookUps() },
  { heading: 'Home tab', surfaces: homeTab() },
  { heading: 'Help', surfaces: answers.help() },
  { heading: 'Failures', surfaces: answers.failures() },
  { heading: 'Connecting', surfaces: admins.connecting() },
  { heading: 'Disconnecting', surfaces: admins.disconnecting() },
  { heading: 'Settings', surfaces: settings() },
  { heading: 'Notices of a workspace', surfaces: admins.notices() },
  { heading: 'Installing', surfaces: admins.installing() },
];

/** All that the bot can say. */
export const catalogue = (): Section[] => [
  ...KIND_NAMES.flatMap((kind) =>
    examplesOf(kind).map((record) => ({
      heading: `${KIND_COPY[kind].title}: ${headingOf(record)}`,
      surfaces: surfacesOf(record),
    })),
  ),
  ...general(),
];
