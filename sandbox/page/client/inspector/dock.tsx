import { OrderServicePanel } from './order-service/order-service-panel.tsx';
import { useRemembered } from './parts/use-stored-choice.ts';
import { TAB_NAMES, TabList, TabPanel } from './tabs.tsx';
import { Inspector } from './traffic/traffic.tsx';
import { TryIt } from './try-it.tsx';
import { useBackstage } from './use-inspector.ts';
import { Workspaces } from './workspaces.tsx';

const CONTENT_ID = 'backstage-content';

/** What stands behind the workspace, at its side: suggestions, the order service, and every request. */
export function Dock() {
  const { backstage, underway, traffic } = useBackstage();
  const [remembered, chooseTab] = useRemembered('tab', TAB_NAMES, 'try-it');
  const places = backstage?.places ?? [];
  const tabs = TAB_NAMES.filter((each) => each !== 'workspaces' || places.length > 0);
  const tab = tabs.includes(remembered) ? remembered : 'try-it';
  const [fold, setFold] = useRemembered('fold', ['open', 'folded'], 'open');
  const isOpen = fold === 'open';

  return (
    <aside className={`backstage-dock backstage-${fold}`} aria-label="Backstage">
      <FoldButton isOpen={isOpen} onToggle={() => setFold(isOpen ? 'folded' : 'open')} />
      <div id={CONTENT_ID} className="backstage-content" hidden={!isOpen}>
        <TabList tabs={tabs} chosen={tab} onChoose={chooseTab} />
        <TabPanel tab="try-it" chosen={tab} isText>
          <TryIt backstage={backstage} />
        </TabPanel>
        <TabPanel tab="orders" chosen={tab}>
          {backstage ? <OrderServicePanel backstage={backstage} /> : <p>Loading …</p>}
        </TabPanel>
        {places.length > 0 && (
          <TabPanel tab="workspaces" chosen={tab}>
            <Workspaces places={places} rotates={backstage?.tokenRotation === true} />
          </TabPanel>
        )}
        <TabPanel tab="inspector" chosen={tab}>
          <Inspector underway={underway} traffic={traffic} isVisible={isOpen && tab === 'inspector'} />
        </TabPanel>
      </div>
    </aside>
  );
}

function FoldButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      className="backstage-fold"
      aria-expanded={isOpen}
      aria-controls={CONTENT_ID}
      aria-label="Backstage"
      title={isOpen ? 'Fold the backstage away' : 'Show the backstage'}
      onClick={onToggle}
    >
      <span aria-hidden="true">{isOpen ? '»' : '« Backstage'}</span>
    </button>
  );
}
