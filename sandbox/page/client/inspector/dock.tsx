import { useSyncExternalStore } from 'react';
import { OrderServicePanel } from './order-service/order-service-panel.tsx';
import { useStoredChoice } from './parts/use-stored-choice.ts';
import { TAB_NAMES, TabList, TabPanel } from './tabs.tsx';
import { Traffic } from './traffic/traffic.tsx';
import { TryIt } from './try-it.tsx';
import { useInspector } from './use-inspector.ts';
import { Workspaces } from './workspaces.tsx';

const CONTENT_ID = 'inspector-content';
const FOLDS = ['open', 'folded'] as const;

/** The dock beside the workspace: suggestions, the order service, and every request. */
export function Dock() {
  const { inspector, underway, traffic } = useInspector();
  const [remembered, chooseTab] = useStoredChoice('tab', TAB_NAMES, 'try-it');
  const places = inspector?.places ?? [];
  const tabs = TAB_NAMES.filter((each) => each !== 'workspaces' || places.length > 0);
  const tab = tabs.includes(remembered) ? remembered : 'try-it';
  const [fold, setFold] = useFold();
  const isOpen = fold === 'open';

  return (
    <aside className={`inspector-dock inspector-${fold}`} aria-label="Inspector">
      <FoldButton isOpen={isOpen} onToggle={() => setFold(isOpen ? 'folded' : 'open')} />
      <div id={CONTENT_ID} className="inspector-content" hidden={!isOpen}>
        <TabList tabs={tabs} chosen={tab} onChoose={chooseTab} />
        <TabPanel tab="try-it" chosen={tab} isText>
          <TryIt inspector={inspector} />
        </TabPanel>
        <TabPanel tab="orders" chosen={tab}>
          {inspector ? <OrderServicePanel inspector={inspector} /> : <p>Loading …</p>}
        </TabPanel>
        {places.length > 0 && (
          <TabPanel tab="workspaces" chosen={tab}>
            <Workspaces places={places} rotates={inspector?.tokenRotation === true} />
          </TabPanel>
        )}
        <TabPanel tab="traffic" chosen={tab}>
          <Traffic underway={underway} traffic={traffic} isVisible={isOpen && tab === 'traffic'} />
        </TabPanel>
      </div>
    </aside>
  );
}

const NARROW = '(width < 700px)';

/** Whether the dock is open; on a phone it would cover the workspace, so that has a choice of its own. */
function useFold() {
  const isNarrow = useSyncExternalStore(watchWidth, () => matchMedia(NARROW).matches);
  const beside = useStoredChoice('fold', FOLDS, 'open');
  const covering = useStoredChoice('fold-on-phone', FOLDS, 'folded');
  return isNarrow ? covering : beside;
}

function watchWidth(changed: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

function FoldButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      className="inspector-fold"
      aria-expanded={isOpen}
      aria-controls={CONTENT_ID}
      aria-label="Inspector"
      title={isOpen ? 'Hide the inspector' : 'Show the inspector'}
      onClick={onToggle}
    >
      <span aria-hidden="true">{isOpen ? '»' : '« Inspector'}</span>
    </button>
  );
}
