import { type Exchange, fieldsOf } from './exchange.ts';

/**
 * Returns the subject of an exchange, if a few words can name it: the order or offer, the typed text, the modal or button.
 * Empty otherwise.
 */
export function subjectOf({ request }: Exchange): string {
  const body = fieldsOf(fieldsOf(request)['body']);
  const found = [...subjects(fieldsOf(request)), ...subjects(body), fieldsOf(body['data'])['orderId']].find(
    (each) => typeof each === 'string' && each !== '',
  );
  return typeof found === 'string' ? found : '';
}

/** Returns the fields that may name the subject, the most specific first. */
function subjects(given: Record<string, unknown>): unknown[] {
  const { id, orderId, line, reaction, button, text, view, actions, callback_id } = given;
  const pressed = Array.isArray(actions) ? fieldsOf(actions[0])['action_id'] : undefined;
  return [id, orderId, line, reaction, button, pressed, text, fieldsOf(view)['callback_id'], callback_id];
}
