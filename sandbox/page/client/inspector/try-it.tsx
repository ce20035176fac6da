import type { InspectorViewModel } from '../../view-model/inspector.ts';
import { transportText } from './transport-text.ts';

/** Suggestions for a newcomer, in order. */
export function TryIt({ inspector }: { inspector: InspectorViewModel | null }) {
  return (
    <div className="inspector-try">
      <h2>What you can try</h2>
      <p>
        {inspector && inspector.places.length > 0
          ? 'These local Slack workspaces are yours. Install Countermand in them; an order service is connected.'
          : 'This local Slack workspace is yours, with Countermand and an order service.'}{' '}
        Nothing here is real, so try anything.
      </p>
      <ol>
        {inspector && inspector.places.length > 0 && <Install />}
        {inspector && !isConnected(inspector) && <Connect />}
        <CancelAtOnce />
        <Review />
        <Approval />
        <NoAnswer />
        <Inspect />
      </ol>
      {inspector && <p className="inspector-muted">{transportText(inspector)}</p>}
    </div>
  );
}

/** An admin who connects a workspace also subscribes to the events, so a subscription means that somebody is connected. */
const isConnected = ({ organizations }: InspectorViewModel) =>
  organizations.some(({ subscriptions }) => subscriptions.length > 0);

const Install = () => (
  <li>
    <h3>Install Countermand</h3>
    <p>
      Choose a workspace on the left, and press “Install Countermand”. On the page that opens press “Add to
      Slack”, then allow or deny it. You get a direct message when Countermand is installed. The tab
      “Workspaces” has buttons that uninstall it.
    </p>
  </li>
);

const Connect = () => (
  <li>
    <h3>Connect the workspace</h3>
    <p>
      Act as Olga, an admin, and type <code>/countermand connect</code>. Take a REST token from “Access” under
      “Order service”. You get a URL and a secret: enter them under “Subscriptions”.
    </p>
  </li>
);

const CancelAtOnce = () => (
  <li>
    <h3>Cancel an order</h3>
    <p>
      In #support point at Ben’s message about order A-1001, press ⋮, and choose “Cancel an order”. Choose a
      reason, and press “Request cancellation”. Open the replies under the message: the order is cancelled.
    </p>
  </li>
);

const Review = () => (
  <li>
    <h3>Let the order service review it</h3>
    <p>
      Type <code>/cancel-order A-2001</code> and press Enter, for the order that the service reviews. Open the
      replies under the card. Then press Approve under “Order service”, and watch the thread.
    </p>
  </li>
);

const Approval = () => (
  <li>
    <h3>Let colleagues approve it first</h3>
    <p>
      Act as Olga, an admin, and type <code>/countermand settings</code>. Press Change beside “Cancel an
      order”, choose “The members of a user group” and the group @approvers, press Save, and close the
      settings. Act as Ana, and type <code>/cancel-order A-1002</code>: nothing is sent yet. Now act as Cara,
      and react with ✅ to the card.
    </p>
  </li>
);

const NoAnswer = () => (
  <li>
    <h3>Lose an answer</h3>
    <p>
      Under “Order service” switch on “Loses its answers”, and type <code>/cancel-order A-1003</code>. The
      outcome is then unknown, and nothing is sent twice. The card gets a button that records the outcome. (If
      the request needs approval, let a colleague approve it first.) Switch it off again afterwards.
    </p>
  </li>
);

const Inspect = () => (
  <li>
    <h3>See every request</h3>
    <p>
      The tab “Traffic” shows every request between Slack, the bot and the order service, with its bodies. A
      refused request is red, and shows the reason.
    </p>
  </li>
);
