/** The entry of the page: loads the menu of manifest.yml, then renders the live state. */
import { createRoot } from 'react-dom/client';
import type { AppMenu } from '../../lib/manifest.ts';
import type { MessageSeen } from '../view-model/messages.ts';
import type { WorkspaceViewModel } from '../view-model/workspace.ts';
import { NamesContext } from './blocks/references.tsx';
import { ConfirmProvider } from './blocks/surface.tsx';
import { Dock } from './inspector/dock.tsx';
import { type Reducers, useLive } from './live.ts';
import { HOME, NavigationContext, type Place, usePageNavigation } from './navigation.ts';
import { Toasts } from './overlays.tsx';
import { SelfContext, useActions, useSelf } from './self.ts';
import { Conversation, Thread } from './workspace/conversation.tsx';
import { FoldingLists, Sidebar, WorkspaceRail } from './workspace/lists.tsx';
import { Home, Modal } from './workspace/views.tsx';

const REDUCERS: Reducers<WorkspaceViewModel | null> = {
  workspace: (_, fresh: WorkspaceViewModel) => fresh,
};

function Page({ menu }: { menu: AppMenu }) {
  const navigation = usePageNavigation();
  const { as = '', conversation = '' } = navigation.place;
  const query = new URLSearchParams({ ...(as && { as }), ...(conversation && { conversation }) });
  const { value: viewModel, isLost } = useLive(`/live/workspace?${query}`, null, REDUCERS);
  return (
    <Toasts>
      <NavigationContext value={navigation}>
        <div className="page">
          {isLost && (
            <p className="lost" role="alert">
              The connection to the sandbox is lost. Reconnecting … Is <code>npm run sandbox</code> still
              running?
            </p>
          )}
          {viewModel && <Workspace viewModel={viewModel} place={navigation.place} menu={menu} />}
          <Dock />
        </div>
      </NavigationContext>
    </Toasts>
  );
}

function Workspace(props: { viewModel: WorkspaceViewModel; place: Place; menu: AppMenu }) {
  const { viewModel, place, menu } = props;
  const { me, people, open, modal, home, app, names, workspaces } = viewModel;
  const actions = useActions(me.id);
  const mentionable = app ? [app, ...people] : people;
  return (
    <NamesContext value={names}>
      <ConfirmProvider>
        <div className="workspace">
          {/* A modal covers the workspace; the inspector stays usable. */}
          <div className="stage" inert={modal !== null}>
            <FoldingLists team={me.team}>
              {workspaces.length > 0 && <WorkspaceRail workspaces={workspaces} current={me.workspace} />}
              <Sidebar viewModel={viewModel} isOnHome={place.conversation === HOME} />
            </FoldingLists>
            {place.conversation === HOME && app ? (
              <Home me={me.id} page={home} actions={actions} />
            ) : open ? (
              <SelfContext value={{ me, mentionable, conversation: open.conversation, actions, menu }}>
                <Panes messages={open.messages} thread={place.thread} />
              </SelfContext>
            ) : (
              <main className="notice quiet">You are not in any conversation.</main>
            )}
          </div>
          {modal && <div className="curtain" />}
          {modal && <Modal key={modal.view_id} modal={modal} actions={actions} />}
        </div>
      </ConfirmProvider>
    </NamesContext>
  );
}

/** The conversation and the open thread. The thread is closed if its parent does not exist, as after a restart of the sandbox. */
function Panes({ messages, thread }: { messages: MessageSeen[]; thread: string | undefined }) {
  const { conversation } = useSelf();
  const parent = messages.find(({ ts }) => ts === thread);
  return (
    <div className={parent ? 'panes with-thread' : 'panes'}>
      <Conversation key={conversation.id} messages={messages} />
      {parent && <Thread key={parent.ts} parent={parent.ts} messages={messages} />}
    </div>
  );
}

const response = await fetch('/menu.json');
const menu = (await response.json()) as AppMenu;
const root = document.getElementById('root');
if (root) createRoot(root).render(<Page menu={menu} />);
