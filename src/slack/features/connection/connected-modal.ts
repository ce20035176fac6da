/** The modals that follow the connect form: while the token is checked, and once the workspace is connected. */

import type { types } from '@slack/bolt';
import { ACTIONS } from '../../blocks/ids.ts';
import { waitingModal } from '../../blocks/modals.ts';
import { context, LIMITS, plain, section, sectionWith } from '../../blocks/text.ts';

export const CONNECT_TITLE = 'Connect';

/** Shown while the order service answers, which may take longer than the 3 s for which Slack waits. */
export function checkingModal(): types.ModalView {
  return waitingModal(CONNECT_TITLE, 'Asking the order service whether it accepts the token…');
}

export type ConnectedView = {
  eventsUrl: string;
  secret: string | undefined;
  warnings: string[];
  /** The fate of the former token, if it was to be revoked. */
  former?: string[];
};

/** The secret is shown this once. */
export function connectedModal({ eventsUrl, secret, warnings, former = [] }: ConnectedView): types.ModalView {
  return {
    type: 'modal',
    title: plain(CONNECT_TITLE, LIMITS.modalTitle),
    close: plain('Done', LIMITS.modalButton),
    blocks: [
      section(':white_check_mark: *This workspace is connected to the order service.*'),
      ...warnings.map((warning) => section(`:warning: ${warning}`)),
      ...former.map(section),
      ...(secret === undefined ? unchangedEvents(eventsUrl) : newEvents(eventsUrl, secret)),
      settingsLine(),
    ],
  };
}

/** Connecting sets nothing else, so the way to the settings starts here. */
function settingsLine(): types.SectionBlock {
  return sectionWith('Choose who may request, who approves and where notifications go in the settings.', {
    type: 'button',
    action_id: ACTIONS.openSettings,
    text: plain('Open settings', LIMITS.buttonText),
  });
}

function newEvents(eventsUrl: string, secret: string): types.KnownBlock[] {
  return [
    section('Give these two to the order service, so that outcomes can be posted in their threads.'),
    section('*Events URL*'),
    preformatted(eventsUrl),
    section('*Secret*'),
    preformatted(secret),
    context(
      'The secret is shown only now: copy it before you close this window. A former secret works for another day.',
    ),
  ];
}

function unchangedEvents(eventsUrl: string): types.KnownBlock[] {
  return [section('The events URL and its secret have not changed.'), preformatted(eventsUrl)];
}

function preformatted(text: string): types.RichTextBlock {
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
  };
}
