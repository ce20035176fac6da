import { type KeyboardEvent, type ReactNode, useRef } from 'react';

/** The tabs of the dock, in their order. */
export const TABS = {
  'try-it': 'Try it',
  orders: 'Order service',
  workspaces: 'Workspaces',
  traffic: 'Traffic',
} as const;

/** One of the tabs. */
export type Tab = keyof typeof TABS;

/** The names of the tabs, in their order. */
export const TAB_NAMES = Object.keys(TABS) as Tab[];

const tabId = (tab: Tab) => `inspector-tab-${tab}`;
const panelId = (tab: Tab) => `inspector-panel-${tab}`;

/** The list of tabs. Arrow keys, Home and End select another tab, as in other tab lists. */
export function TabList({
  tabs,
  chosen,
  onChoose,
}: {
  tabs: readonly Tab[];
  chosen: Tab;
  onChoose: (tab: Tab) => void;
}) {
  const row = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent): void {
    const next = tabAfter(chosen, event.key, tabs);
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next);
    row.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus();
  }

  return (
    <div ref={row} className="inspector-tabs" role="tablist" aria-label="Inspector" onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={tabId(tab)}
          aria-controls={panelId(tab)}
          aria-selected={tab === chosen}
          tabIndex={tab === chosen ? 0 : -1}
          onClick={() => onChoose(tab)}
        >
          {TABS[tab]}
        </button>
      ))}
    </div>
  );
}

/** Returns the tab that a key selects; undefined for other keys. */
export function tabAfter(chosen: Tab, key: string, tabs: readonly Tab[]): Tab | undefined {
  const index = tabs.indexOf(chosen);
  const places: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 };
  const place = places[key];
  return place === undefined ? undefined : tabs.at(place % tabs.length);
}

/** The panel of a tab. It stays mounted while another tab is selected, so that it keeps what was typed or opened in it. */
export function TabPanel({
  tab,
  chosen,
  isText = false,
  children,
}: {
  tab: Tab;
  chosen: Tab;
  /** Nothing in it can have the focus, so the panel itself takes the focus and can be scrolled by keyboard. */
  isText?: boolean;
  children: ReactNode;
}) {
  return (
    <div
      className="inspector-panel"
      role="tabpanel"
      id={panelId(tab)}
      aria-labelledby={tabId(tab)}
      hidden={tab !== chosen}
      tabIndex={isText ? 0 : undefined}
    >
      {children}
    </div>
  );
}
