import type { ReactNode } from 'react';
import { post } from '../../api.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Section } from '../parts/section.tsx';
import { type RequestedOrder, STATUS_TEXT } from './orders.ts';

type Reviewed = { orders: RequestedOrder[]; organization: string };

/** The cancellations that wait for a decision of the order service. */
export function WaitingForReview({ orders, organization }: Reviewed) {
  return (
    <Section title="Waiting for review">
      {orders.length === 0 && <p className="inspector-muted">No orders wait for a review.</p>}
      <ul className="inspector-list">
        {orders.map((order) => (
          <OrderRow key={order.id} order={order}>
            <DecideButton id={order.id} organization={organization} decision="approve" />
            <DecideButton id={order.id} organization={organization} decision="deny" />
          </OrderRow>
        ))}
      </ul>
    </Section>
  );
}

/** The decided cancellations, with a button that opens the review again. */
export function Decided({ orders, organization }: Reviewed) {
  return (
    <Section title="Decided">
      {orders.length === 0 && <p className="inspector-muted">No decisions yet.</p>}
      <ul className="inspector-list">
        {orders.map((order) => (
          <OrderRow key={order.id} order={order}>
            {order.cancellation.status !== 'canceled' && (
              <DecideButton id={order.id} organization={organization} decision="back-to-pending" />
            )}
          </OrderRow>
        ))}
      </ul>
    </Section>
  );
}

function OrderRow({ order: { id, cancellation }, children }: { order: RequestedOrder; children: ReactNode }) {
  const { status, reason } = cancellation;
  return (
    <li>
      <div className="inspector-grow">
        <strong>{id}</strong>{' '}
        <span className={`inspector-status inspector-status-${status}`}>{STATUS_TEXT[status]}</span>
        <p className="inspector-muted">{reason}</p>
      </div>
      {children}
    </li>
  );
}

const DECISIONS = {
  approve: { text: 'Approve', tone: 'good' },
  deny: { text: 'Deny', tone: 'bad' },
  'back-to-pending': { text: 'Back to pending' },
} as const satisfies Record<string, { text: string; tone?: 'good' | 'bad' }>;

function DecideButton({
  id,
  organization,
  decision,
}: {
  id: string;
  organization: string;
  decision: keyof typeof DECISIONS;
}) {
  const { text, ...look } = DECISIONS[decision];
  const path = `/orders/control/orders/${encodeURIComponent(id)}/${decision}`;
  const label = decision === 'back-to-pending' ? `Back to pending: ${id}` : `${text} ${id}`;
  return (
    <ActionButton {...look} label={label} action={() => post(path, { organization })}>
      {text}
    </ActionButton>
  );
}
