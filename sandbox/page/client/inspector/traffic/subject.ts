import { type Exchange, fieldsOf } from './exchange.ts';

/**
 * What an exchange is about, where a few words tell: the order or offer, what a person typed, the modal or button.
 * Empty where none do.
 */
export function subjectOf({ request }: Exchange): string {
  const body = fieldsOf(fieldsOf(request)['body']);
  const found = [...subjects(fieldsOf(request)), ...subjects(body), fieldsOf(body['data'])['orderId']].find(
    (each) => typeof each === 'string' && each !== '',
  );
  return typeof found === 'string' ? found : '';
}

/** The fields that may tell, those that tell most first. */
function subjects(given: Record<string, unknown>): unknown[] {
  const { id, orderId, line, reaction, button, text, view, actions, callback_id } = given;
  const pressed = Array.isArray(actions) ? fieldsOf(actions[0])['action_id'] : undefined;
  return [id, orderId, line, reaction, button, pressed, text, fieldsOf(view)['callback_id'], callback_id];
}
