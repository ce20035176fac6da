import type { Order } from '../../../../order-service/organization.ts';
import { Section } from '../parts/section.tsx';
import { rangesOf } from './orders.ts';

/** The orders without a request to cancel them, and the outcome that such a request would have. */
export function UntouchedOrders({ orders }: { orders: Order[] }) {
  return (
    <Section title="Orders without a request">
      <Summary orders={orders.filter(({ reviewed }) => !reviewed)} what="would be cancelled at once" />
      <Summary orders={orders.filter(({ reviewed }) => reviewed)} what="would be reviewed first" />
      {orders.length === 0 && <p className="inspector-muted">No orders left.</p>}
      {orders.length > 0 && (
        <details>
          <summary>Show each of the {orders.length}</summary>
          <OrderTable orders={orders} />
        </details>
      )}
    </Section>
  );
}

function Summary({ orders, what }: { orders: Order[]; what: string }) {
  if (orders.length === 0) return null;
  return (
    <p>
      {rangesOf(orders.map(({ id }) => id))}: <span className="inspector-muted">{what}</span>
    </p>
  );
}

function OrderTable({ orders }: { orders: Order[] }) {
  return (
    <table className="inspector-table">
      <thead>
        <tr>
          <th scope="col">Order</th>
          <th scope="col">Purchase order</th>
          <th scope="col">Cancelling</th>
        </tr>
      </thead>
      <tbody>
        {orders.map(({ id, poNumber, reviewed }) => (
          <tr key={id}>
            <td>{id}</td>
            <td>{poNumber ?? 'none'}</td>
            <td>{reviewed ? 'is reviewed' : 'at once'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
