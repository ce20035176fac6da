import type { DeliverySeen } from '../../../view-model/inspector.ts';
import { post } from '../../api.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Section } from '../parts/section.tsx';

const STATES: Record<DeliverySeen['state'], string> = {
  under_way: 'under way',
  delivered: 'delivered',
  given_up: 'given up',
};

/** The events that the service sends to the bot, newest first. */
export function Deliveries({ deliveries }: { deliveries: DeliverySeen[] }) {
  return (
    <Section title="Deliveries">
      {deliveries.length === 0 && (
        <p className="inspector-muted">No events yet. Cancelling an order that is reviewed sends one.</p>
      )}
      <ul className="inspector-list inspector-scroll">
        {deliveries.toReversed().map((each) => (
          <DeliveryRow key={each.id} delivery={each} />
        ))}
      </ul>
    </Section>
  );
}

function DeliveryRow({ delivery }: { delivery: DeliverySeen }) {
  const { id, topic, orderId, status, state, attempts } = delivery;
  const word = lastWord(topic);
  return (
    <li>
      <div className="inspector-grow">
        <strong>{word}</strong> {orderId}, {status}
        <p className={state === 'given_up' ? 'inspector-refused' : 'inspector-muted'}>
          {STATES[state]}
          {attempts.length > 0 && `: ${attempts.map(attemptText).join(', then ')}`}
        </p>
      </div>
      <ActionButton
        label={`Redeliver “${word}” of ${orderId} (${id})`}
        action={() => post(`/orders/control/deliveries/${id}/redeliver`)}
      >
        Redeliver
      </ActionButton>
    </li>
  );
}

const lastWord = (topic: string) => topic.split('.').at(-1) ?? topic;

const attemptText = (attempt: DeliverySeen['attempts'][number]) =>
  typeof attempt === 'number' ? `HTTP ${attempt}` : attempt.replaceAll('_', ' ');
