import { useState } from 'react';
import type { JournalEntry } from '../../../../lib/http/journal.ts';
import { EntryRow } from './entry.tsx';
import type { Begun } from './exchange.ts';
import { isShown, SHOW_ALL, type TrafficFilter } from './traffic-filter.ts';
import { TrafficFilters } from './traffic-filters.tsx';
import { useFollowing } from './use-following.ts';

/** Every request between the bot, Slack and the order service, and every act, newest last. */
export function Inspector({
  underway,
  traffic,
  isVisible,
}: {
  underway: Begun[];
  traffic: JournalEntry[];
  isVisible: boolean;
}) {
  const [filter, setFilter] = useState(SHOW_ALL);
  const { list, isFollowing, follow, leave, onScroll } = useFollowing(isVisible);
  const entries = traffic.filter((each) => isShown(each, filter));
  const begun = underway.filter((each) => isShown(each, filter));
  const isEmpty = entries.length + begun.length === 0;
  const changeFilter = (changed: TrafficFilter) => {
    setFilter(changed);
    follow();
  };
  const newest = traffic.at(-1)?.n ?? 0;

  return (
    <div className="backstage-inspector">
      <TrafficFilters filter={filter} onChange={changeFilter} newest={newest} />
      {isEmpty && <p className="backstage-muted">{emptyText(newest > filter.clearedUpTo)}</p>}
      <div ref={list} className="backstage-traffic" onScroll={onScroll}>
        <ol>
          {entries.map((each) => (
            <EntryRow key={each.n} exchange={each} onOpen={leave} />
          ))}
          {begun.map((each, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what is under way has nothing else to tell it apart
            <EntryRow key={`begun-${index}`} exchange={each} onOpen={leave} />
          ))}
        </ol>
      </div>
      {!isFollowing && (
        <button type="button" className="backstage-button backstage-newest" onClick={follow}>
          ↓ Newest
        </button>
      )}
    </div>
  );
}

const emptyText = (isFiltered: boolean) =>
  isFiltered ? 'No exchange fits the filters.' : 'Nothing yet. What happens next is shown here.';
