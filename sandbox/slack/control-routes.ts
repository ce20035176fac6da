/** The control API of a Slack: the acts of people and admins, for the page and other programs. */
import { z } from 'zod';
import { type ControlRoute, journalRoute, nothing, route } from '../lib/control.ts';
import type { Journal } from '../lib/http/journal.ts';
import { definedFields } from '../lib/json.ts';
import { DISCONNECT_REASONS } from './delivery/socket/sockets.ts';
import { HOME } from './people/context.ts';
import type { Person } from './people/person.ts';
import type { Slack } from './start.ts';

const id = z.string().min(1);
const Team = z.strictObject({ team: id });
const Invitation = z.strictObject({ channel: id, user: id });
const Leaving = z.strictObject({ reason: z.enum(DISCONNECT_REASONS) });

export function slackRoutes(
  { person, admin, sockets }: Pick<Slack, 'person' | 'admin' | 'sockets'>,
  journal: Journal,
): ControlRoute[] {
  return [
    ...peopleRoutes(person),
    route('POST', '/control/admin/invite', Invitation, ({ input }) =>
      admin.invite(input.channel, input.user),
    ),
    route('POST', '/control/admin/uninstall', Team, ({ input }) => admin.uninstall(input.team)),
    route('POST', '/control/sockets/ask-to-leave', Leaving, ({ input }) => sockets.askToLeave(input.reason)),
    route('POST', '/control/sockets/drop', nothing, sockets.drop),
    journalRoute(journal),
  ];
}

const text = z.string();
const where = z.strictObject({ channel: text, ts: text });
/** The place of an element; left out: in the modal. */
const place = z.union([where, z.literal(HOME)]).optional();
const values = z.record(text, z.union([text, z.array(text), z.null()]));
const Click = z.strictObject({
  button: text,
  message: place,
  option: text.optional(),
  value: text.optional(),
});
const Say = z.strictObject({ text, channel: text, thread_ts: text.optional() });
const Reaction = z.strictObject({ reaction: text, message: where });

function peopleRoutes(person: Slack['person']): ControlRoute[] {
  const act = <B>(path: string, body: z.ZodType<B>, run: (self: Person, body: B) => unknown) =>
    route('POST', `/control/people/{person}/${path}`, body, ({ params, input }) =>
      run(person(params['person'] ?? ''), input),
    );
  return [
    act('command', z.strictObject({ line: text, channel: text }), (self, { line, channel }) =>
      self.command(line, { channel }),
    ),
    act('open-home', nothing, (self) => self.openHome()),
    act('shortcut', z.strictObject({ callback_id: text }), (self, body) => self.shortcut(body.callback_id)),
    act('message-shortcut', z.strictObject({ callback_id: text, message: where }), (self, body) =>
      self.messageShortcut(body.callback_id, body.message),
    ),
    act('click', Click, (self, { button, message: at, ...how }) =>
      self.click(button, at, definedFields(how)),
    ),
    act('fill', z.strictObject({ values, message: place }), (self, body) =>
      self.fill(body.values, body.message),
    ),
    act('search', z.strictObject({ field: text, text, message: place }), (self, body) =>
      self.search(body.field, body.text, body.message),
    ),
    act('submit', z.strictObject({ values: values.optional() }), (self, body) => self.submit(body.values)),
    act('close-modal', nothing, (self) => self.closeModal()),
    act('say', Say, (self, { text: said, ...at }) => self.say(said, definedFields(at))),
    act('react', Reaction, (self, body) => self.react(body.reaction, body.message)),
    act('unreact', Reaction, (self, body) => self.unreact(body.reaction, body.message)),
    act('delete-message', z.strictObject({ message: where }), (self, body) =>
      self.deleteMessage(body.message),
    ),
  ];
}
