import type { AppMenu } from '../../lib/manifest.ts';
import type { Sight } from '../sight.ts';
import { useActs } from './acts.ts';
import { Dock } from './backstage/dock.tsx';
import { ConfirmProvider } from './blocks/confirm.tsx';
import { NamesProvider } from './blocks/names.ts';
import { Conversation } from './conversation.tsx';
import { useLive } from './live.ts';
import { Modal } from './modal.tsx';
import { NavigationProvider, type Place, usePageNavigation } from './navigation.ts';
import { SelfProvider } from './self.ts';
import { Sidebar } from './sidebar.tsx';
import { Thread } from './thread.tsx';
import { Toasts } from './toasts.tsx';

const REDUCERS = { sight: (_: Sight | null, fresh: Sight) => fresh };

/** The whole page. */
export function Page({ menu }: { menu: AppMenu }) {
  const navigation = usePageNavigation();
  const { as = '', conversation = '' } = navigation.place;
  const query = new URLSearchParams({ ...(as && { as }), ...(conversation && { conversation }) });
  const { value: sight, isLost } = useLive<Sight | null>(`/live/workspace?${query}`, null, REDUCERS);
  return (
    <Toasts>
      <NavigationProvider value={navigation}>
        <div className="page">
          {isLost && (
            <p className="lost" role="alert">
              The connection to the sandbox is lost. Trying again …
            </p>
          )}
          {sight && <Workspace sight={sight} place={navigation.place} menu={menu} />}
          <Dock />
        </div>
      </NavigationProvider>
    </Toasts>
  );
}

function Workspace({ sight, place, menu }: { sight: Sight; place: Place; menu: AppMenu }) {
  const { me, people, open, modal, names } = sight;
  const acts = useActs(me.id);
  return (
    <NamesProvider value={names}>
      <ConfirmProvider>
        <Sidebar sight={sight} />
        {open ? (
          <SelfProvider value={{ me, people, conversation: open.conversation, acts, menu }}>
            <div className={place.thread ? 'panes with-thread' : 'panes'}>
              <Conversation messages={open.messages} />
              {place.thread && <Thread parent={place.thread} messages={open.messages} />}
            </div>
          </SelfProvider>
        ) : (
          <main className="conversation empty">You are in no conversation.</main>
        )}
        {modal && <Modal key={modal.view_id} modal={modal} acts={acts} />}
      </ConfirmProvider>
    </NamesProvider>
  );
}
