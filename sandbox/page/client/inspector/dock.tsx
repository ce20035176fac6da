/** The inspector beside the workspace: its tabs, and the live data that all of them share. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { JournalEntry } from '../../../lib/http/journal.ts';
import type { InspectorViewModel } from '../../view-model/inspector.ts';
import { type Reducers, useLive } from '../live.ts';
import { Workspaces } from './access.tsx';
import type { Begun } from './exchange.ts';
import { OrderService } from './order-service.tsx';
import { Traffic } from './traffic.tsx';
import { TryIt } from './try-it.tsx';

type State = {
  /** Null until the sandbox has sent it. */
  inspector: InspectorViewModel | null;
  underway: Begun[];
  traffic: JournalEntry[];
};

const MOST_ENTRIES = 500;
const NOTHING_YET: State = { inspector: null, underway: [], traffic: [] };

const REDUCERS: Reducers<State> = {
  inspector: (seen, inspector: InspectorViewModel) => ({ ...seen, inspector }),
  underway: (seen, underway: Begun[]) => ({ ...seen, underway }),
  traffic: (seen, fresh: JournalEntry[]) => ({ ...seen, traffic: withFresh(seen.traffic, fresh) }),
};

/** Adds new entries. If they begin with number 1, the connection is another one, and they replace the earlier ones. */
function withFresh(before: JournalEntry[], fresh: JournalEntry[]): JournalEntry[] {
  const kept = fresh[0]?.n === 1 ? [] : before;
  return [...kept, ...fresh].slice(-MOST_ENTRIES);
}

const CONTENT_ID = 'inspector-content';

export function Dock() {
  const { inspector, underway, traffic } = useLive('/live/inspector', NOTHING_YET, REDUCERS).value;
  const [isOpen, setOpen] = useFold();
  const tabs: Tabs = {
    'Try it': <TryIt inspector={inspector} />,
    'Order service': inspector && <OrderService inspector={inspector} />,
    ...(inspector && inspector.places.length > 0 && { Workspaces: <Workspaces inspector={inspector} /> }),
    Traffic: <Traffic underway={underway} traffic={traffic} />,
  };
  return (
    <aside className={isOpen ? 'inspector' : 'inspector folded'} aria-label="Inspector">
      <button
        type="button"
        className="fold"
        aria-expanded={isOpen}
        aria-controls={CONTENT_ID}
        aria-label="Inspector"
        title={isOpen ? 'Hide the inspector' : 'Show the inspector'}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">{isOpen ? '»' : '« Inspector'}</span>
      </button>
      <div id={CONTENT_ID} className="column" hidden={!isOpen}>
        <TabbedPanels tabs={tabs} />
      </div>
    </aside>
  );
}

/** Whether the dock is open. It folds where the page becomes as narrow as a phone, because it would cover the workspace. */
function useFold() {
  const [narrow] = useState(() => matchMedia('(width < 700px)'));
  const [isOpen, setOpen] = useState(!narrow.matches);
  useEffect(() => {
    const change = () => setOpen(!narrow.matches);
    narrow.addEventListener('change', change);
    return () => narrow.removeEventListener('change', change);
  }, [narrow]);
  return [isOpen, setOpen] as const;
}

type Tabs = Record<string, ReactNode>;

/** Tabs and their panels, which stay mounted, so that each keeps what was typed or opened in it. */
function TabbedPanels({ tabs }: { tabs: Tabs }) {
  const titles = Object.keys(tabs);
  const [chosen = '', choose] = useState(titles[0]);
  const list = useRef<HTMLDivElement>(null);

  /** Arrow keys, Home and End select another tab, as in other tab lists. */
  function onKeyDown(event: KeyboardEvent): void {
    const index = titles.indexOf(chosen);
    const places: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    const next = (place + titles.length) % titles.length;
    choose(titles[next]);
    list.current?.querySelectorAll('button')[next]?.focus();
  }

  return (
    <>
      <div ref={list} className="tabs" role="tablist" aria-label="Inspector" onKeyDown={onKeyDown}>
        {titles.map((title) => (
          <button
            key={title}
            type="button"
            role="tab"
            id={tabId(title)}
            aria-controls={panelId(title)}
            aria-selected={title === chosen}
            tabIndex={title === chosen ? 0 : -1}
            onClick={() => choose(title)}
          >
            {title}
          </button>
        ))}
      </div>
      {titles.map((title) => (
        <div
          key={title}
          className="scroll"
          role="tabpanel"
          id={panelId(title)}
          aria-labelledby={tabId(title)}
          hidden={title !== chosen}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
        >
          {tabs[title]}
        </div>
      ))}
    </>
  );
}

const tabId = (title: string) => `tab-${title.replaceAll(' ', '-')}`;
const panelId = (title: string) => `panel-${title.replaceAll(' ', '-')}`;
