import type { InspectorViewModel } from '../../view-model/inspector.ts';
import { transportText } from './transport-text.ts';

/** What a newcomer can try, one after the other. */
export function TryIt({ inspector }: { inspector: InspectorViewModel | null }) {
  return (
    <div className="inspector-try">
      <h2>What you can try</h2>
      <p>
        {inspector && inspector.places.length > 0
          ? 'These are Slack workspaces of your own, to install the bot Countermand in, with an order service behind it.'
          : 'This is a Slack workspace of your own, with the bot Countermand in it and an order service behind it.'}{' '}
        Nothing of it is real, so try whatever you like.
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

/** Whoever has connected a workspace has told the service where its events go. */
const isConnected = ({ organizations }: InspectorViewModel) =>
  organizations.some(({ subscriptions }) => subscriptions.length > 0);

const Install = () => (
  <li>
    <h3>Install Countermand</h3>
    <p>
      Choose a workspace at the left, and press “Install Countermand”. In the page that opens press “Add to
      Slack”, and allow it, or deny it. Whoever has installed it gets a direct message. “Workspaces”, beside
      this, has buttons that uninstall it.
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
      In #support type <code>/cancel-order A-1001</code> and press Enter. Choose a reason and press Ask. The
      order is cancelled at once, and the outcome comes in the thread of the card.
    </p>
  </li>
);

const Review = () => (
  <li>
    <h3>Let the order service review it</h3>
    <p>
      Ask for <code>/cancel-order A-2001</code>, an order that the service reviews. Open the thread of the
      card. Then press Approve under “Order service”, and watch the thread.
    </p>
  </li>
);

const Approval = () => (
  <li>
    <h3>Let colleagues approve it first</h3>
    <p>
      Act as Olga, an admin, and type <code>/countermand settings</code>. Press Change beside “Cancel an
      order”, choose “The members of a user group” and the group @approvers, press Save, and close the
      settings. Act as Ana, and ask for <code>/cancel-order A-1002</code>: nothing is sent yet. Now act as
      Cara, and react with ✅ to the card.
    </p>
  </li>
);

const NoAnswer = () => (
  <li>
    <h3>Lose an answer</h3>
    <p>
      Under “Order service” switch on “Loses its answers”, and ask for <code>/cancel-order A-1003</code>. The
      outcome is unknown then, and nothing is sent twice. The card gets a button with which a person records
      the outcome. (If colleagues have to approve it, let one of them do that first.) Switch it off again
      afterwards.
    </p>
  </li>
);

const Inspect = () => (
  <li>
    <h3>See every request</h3>
    <p>
      The Inspector shows what went between Slack, the bot and the order service, with its bodies. What was
      refused is red, and says why.
    </p>
  </li>
);
