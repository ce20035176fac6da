/** Every name that Slack and the code must agree on, once. A test compares manifest.yml with these names. */
import type { Kind } from '../../requests/model/kinds.ts';

/** Commands that request nothing; those of requests are in requests/model/kinds.ts. */
export const COMMANDS = {
  subBrands: '/sub-brands',
  countermand: '/countermand',
} as const;

export const CALLBACKS = {
  connect: 'connect',
  disconnect: 'disconnect',
  settings: 'settings',
  recordOutcome: 'record_outcome',
  withdraw: 'withdraw',
  retry: 'retry',
  history: 'history',
  subBrands: 'sub_brands',
  decline: 'decline',
  addReason: 'add_reason',
  policy: 'policy',
  customerTexts: 'customer_texts',
  customerReply: 'customer_reply',
} as const;

/** The modal in which a kind of request is made. */
export const requestCallback = <K extends Kind>(kind: K): `request_${K}` => `request_${kind}`;

/** The shortcut in the menu of a message; the one in Slack's own menu has the name of its kind. */
export const messageCallback = <K extends Kind>(kind: K): `message_${K}` => `message_${kind}`;

/** The button on the Home tab that opens the modal of a kind: each button of a block needs an id of its own. */
export const newRequestAction = <K extends Kind>(kind: K): `new_${K}` => `new_${kind}`;

/**
 * The buttons, and the inputs that load options or tell of each change: each of these ids is a route. Other inputs are named
 * where they are declared.
 */
export const ACTIONS = {
  connect: 'connect',
  tryToken: 'try_token',
  openSettings: 'open_settings',
  requesters: 'requesters',
  admins: 'admins',
  channel: 'channel',
  target: 'target',
  targetChoice: 'target_choice',
  retry: 'retry',
  recordOutcome: 'record_outcome',
  subBrandsNext: 'sub_brands_next',
  subBrandsPrevious: 'sub_brands_previous',
  historyGroup: 'history_group',
  historyDay: 'history_day',
  historyDate: 'history_date',
  historyPerson: 'history_person',
  historyMenu: 'history_menu',
  historyOlder: 'history_older',
  historyNewest: 'history_newest',
  historyClear: 'history_clear',
  approve: 'approve',
  decline: 'decline',
  takeBack: 'take_back',
  withdraw: 'withdraw',
  addReason: 'add_reason',
  changePolicy: 'change_policy',
  customerTexts: 'customer_texts',
  customerReply: 'customer_reply',
  approvers: 'approvers',
  shownIn: 'shown_in',
  tryPattern: 'try_pattern',
  pauseSending: 'pause_sending',
  resumeSending: 'resume_sending',
  openRequest: 'open_request',
  requestAgain: 'request_again',
  homeRefresh: 'home_refresh',
  homeGroup: 'home_group',
  homeKind: 'home_kind',
  homeOwnNext: 'home_own_next',
  homeOwnFirst: 'home_own_first',
  homeWaitingNext: 'home_waiting_next',
  homeWaitingFirst: 'home_waiting_first',
  approverGroup: 'approver_group',
  emojiYes: 'emoji_yes',
  emojiNo: 'emoji_no',
} as const;

/** The metadata by which a message whose post is in doubt is found again. Any member can read it. */
export const STEP_METADATA = 'countermand_step';
export const NOTICE_METADATA = 'countermand_notice';
/** The metadata of a second copy of a message, which has become a link to the first. */
export const COPY_METADATA = 'countermand_copy';
