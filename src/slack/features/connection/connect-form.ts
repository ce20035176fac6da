/** The form in which an admin connects the workspace to the order service, and the modals that follow it. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { TokenKind } from '../../../requests/model/refusal.ts';
import { type ConnectionFacts, tokenProblem } from '../../../workspaces/connection/connect.ts';
import { radios, sometimes, text, tick } from '../../blocks/fields.ts';
import {
  asJson,
  button,
  buttonRow,
  form,
  plainModal,
  tryTokenButton,
  withErrors,
} from '../../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import { context, section, sectionWith } from '../../blocks/text.ts';
import { CONNECT_PROBLEMS, factLines } from '../../messages/sentences/connection-texts.ts';

export const CONNECT_TITLE = 'Connect';

/** The metadata has `shown`: the generation of the connection that the form replaces; undefined if there was none. */
export const CONNECT_FORM = form(
  CALLBACKS.connect,
  {
    token: text('token', {
      label: 'API token',
      hint: 'The token is stored encrypted and never shown again. If you would rather not paste it here, ask the operator of Countermand to connect it.',
      wrong(token) {
        const problem = tokenProblem(token);
        return problem && CONNECT_PROBLEMS[problem];
      },
    }),
    tokenKind: radios('token_kind', {
      label: 'Kind of token',
      options: {
        rest: 'REST API token',
        graphql: ['GraphQL token', 'Still works in places, but the order service is ending its support.'],
      },
    }),
    exclusive: tick('exclusive', {
      label: 'Use of the token',
      option: ['Used by Countermand alone', 'Disconnecting or uninstalling Countermand revokes the token.'],
    }),
    revokeFormer: sometimes(
      tick('revoke_former', {
        label: 'The former token',
        option: [
          'Revoke the former token at the order service',
          'Nobody can use it again. It is kept if another workspace uses it.',
        ],
      }),
    ),
    eventsSecret: sometimes(
      radios('events_secret', {
        label: 'Events secret',
        options: {
          keep: 'Keep the events secret',
          replace: [
            'Make a new events secret',
            'The new secret is shown once; the former one works for another day.',
          ],
          end: [
            'Make a new events secret, and end the former one at once',
            'If others know the former one: events signed with it are refused.',
          ],
        },
      }),
    ),
  },
  asJson(z.object({ shown: z.string().optional() })),
);

type ConnectInput = ReturnType<typeof CONNECT_FORM.read>;

type ConnectDraft = {
  /** Whether there is an events secret already: it stays unless the admin asks for a new one. */
  hasSecret?: boolean;
  /** Whether there is a token already, which the new one replaces. After a disconnect there may be the secret alone. */
  hasToken?: boolean;
  shown?: string | undefined;
  facts?: ConnectionFacts | undefined;
  problem?: string;
  tokenKind?: TokenKind | undefined;
  exclusive?: boolean | undefined;
  revokeFormer?: boolean | undefined;
  eventsSecret?: ConnectInput['values']['eventsSecret'];
};

const FIRST = { title: CONNECT_TITLE, submit: 'Connect' };
const AGAIN = { title: 'Connect again?', submit: 'Connect again', close: 'Keep the connection' };

const REPLACES =
  'A new token replaces the present one, and requests that wait are sent with it. The former token is revoked only if you choose that.';

export function connectModal(draft: ConnectDraft): types.ModalView {
  const { token, tokenKind, exclusive, revokeFormer, eventsSecret } = CONNECT_FORM.fields;
  const { hasSecret, hasToken, facts, problem, shown } = draft;
  const blocks = [
    ...(facts ? [context(factLines(facts).join('\n'))] : []),
    ...(facts?.paused?.state === 'paused' ? buttonRow([tryTokenButton()]) : []),
    ...(hasToken ? [section(REPLACES)] : []),
    token.block(),
    tokenKind.block(draft.tokenKind ?? 'rest'),
    exclusive.block(draft.exclusive),
    ...(hasToken ? [revokeFormer.block(draft.revokeFormer)] : []),
    ...(hasSecret ? [eventsSecret.block(draft.eventsSecret ?? 'keep')] : []),
  ];
  const view = CONNECT_FORM.view({ ...(hasToken ? AGAIN : FIRST), blocks }, { shown });
  return withErrors(view, CONNECT_FORM.at({ token: problem }));
}

/** The form once more, with what was chosen; only the token has to be pasted again. */
export const connectAgain = ({ values, about }: ConnectInput, problem: string): types.ModalView =>
  connectModal({
    ...values,
    ...about,
    // A field that was not shown has no value.
    hasSecret: values.eventsSecret !== undefined,
    hasToken: values.revokeFormer !== undefined,
    problem,
  });

type ConnectedView = {
  eventsUrl: string;
  secret: string | undefined;
  warnings: string[];
  /** The sentence about the former token, if it was to be revoked. */
  former?: string | undefined;
  /** Whether the secret that this one replaces still works; left out: it replaces none. */
  formerSecret?: keyof typeof FORMER_SECRET;
};

const FORMER_SECRET = {
  works: ' The former one works for another day.',
  ended: ' Events that are signed with the former one are refused from now on.',
};

/** The only modal that shows a new secret. */
export function connectedModal(connected: ConnectedView): types.ModalView {
  const { eventsUrl, secret, warnings, former, formerSecret } = connected;
  const blocks = [
    section(':white_check_mark: *This workspace is connected to the order service.*'),
    ...warnings.map((warning) => section(`:warning: ${warning}`)),
    ...(former === undefined ? [] : [section(former)]),
    ...(secret === undefined
      ? [section('The events URL and its secret have not changed.'), preformatted(eventsUrl)]
      : newEvents(eventsUrl, secret, formerSecret)),
    // Connecting sets nothing else, so the way to the settings starts here.
    sectionWith(
      'Choose who may request, who approves and where notifications go in the settings.',
      button(ACTIONS.openSettings, 'Open settings'),
    ),
  ];
  return plainModal(CONNECT_TITLE, blocks, 'Done');
}

function newEvents(
  eventsUrl: string,
  secret: string,
  former: ConnectedView['formerSecret'],
): types.KnownBlock[] {
  return [
    section('Give these two to the order service, so that outcomes can be posted in their threads.'),
    section('*Events URL*'),
    preformatted(eventsUrl),
    section('*Secret*'),
    preformatted(secret),
    context(
      `The secret is shown only now: copy it before you close this window.${former ? FORMER_SECRET[former] : ''}`,
    ),
  ];
}

function preformatted(text: string): types.RichTextBlock {
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
  };
}
