import type { AppMenu } from '../../../lib/manifest.ts';
import type { MessageSeen } from '../../view-model/messages.ts';
import type { Sight } from '../../view-model/workspace.ts';
import { useActs } from '../actions.ts';
import { ConfirmProvider } from '../blocks/elements/confirm.tsx';
import { NamesProvider } from '../blocks/text/names.ts';
import { Dock } from '../inspector/dock.tsx';
import { useLive } from '../live.ts';
import { NavigationProvider, type Place, usePageNavigation } from '../navigation.ts';
import { SelfProvider } from '../self.ts';
import { Toasts } from '../toasts.tsx';
import { Conversation } from './conversation.tsx';
import { Modal } from './modal.tsx';
import { Sidebar } from './sidebar.tsx';
import { Thread } from './thread.tsx';
import { WorkspaceRail } from './workspace-rail.tsx';

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
              The connection to the sandbox is lost. Trying again … Does <code>npm run sandbox</code> still
              run?
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
  const { me, people, open, modal, names, workspaces } = sight;
  const acts = useActs(me.id);
  return (
    <NamesProvider value={names}>
      <ConfirmProvider>
        <div className="workspace">
          {/* A modal covers the workspace; what stands backstage is another window's, so to speak. */}
          <div className={workspaces.length > 0 ? 'stage with-rail' : 'stage'} inert={modal !== null}>
            {workspaces.length > 0 && <WorkspaceRail workspaces={workspaces} current={me.workspace} />}
            <Sidebar sight={sight} />
            {open ? (
              <SelfProvider value={{ me, people, conversation: open.conversation, acts, menu }}>
                <Panes messages={open.messages} thread={place.thread} />
              </SelfProvider>
            ) : (
              <main className="conversation empty">You are in no conversation.</main>
            )}
          </div>
          {modal && <div className="curtain" />}
          {modal && <Modal key={modal.view_id} modal={modal} acts={acts} />}
        </div>
      </ConfirmProvider>
    </NamesProvider>
  );
}

/** The conversation, and the thread beside it; none where its parent is not there, as after another start of the sandbox. */
function Panes({ messages, thread }: { messages: MessageSeen[]; thread: string | undefined }) {
  const parent = messages.find(({ ts }) => ts === thread);
  return (
    <div className={parent ? 'panes with-thread' : 'panes'}>
      <Conversation messages={messages} />
      {parent && <Thread parent={parent.ts} messages={messages} />}
    </div>
  );
}
