import type { AppMenu } from '../../../lib/manifest.ts';
import type { MessageSeen } from '../../view-model/messages.ts';
import type { WorkspaceViewModel } from '../../view-model/workspace.ts';
import { useActions } from '../actions.ts';
import { ConfirmProvider } from '../blocks/elements/confirm.tsx';
import { NamesProvider } from '../blocks/text/mention.tsx';
import { Dock } from '../inspector/dock.tsx';
import { useLive } from '../live.ts';
import { HOME, NavigationProvider, type Place, usePageNavigation } from '../navigation.ts';
import { SelfProvider, useSelf } from '../self.ts';
import { Toasts } from '../toasts.tsx';
import { Conversation, Thread } from './conversation.tsx';
import { Home } from './home.tsx';
import { FoldingLists, Sidebar, WorkspaceRail } from './lists.tsx';
import { Modal } from './modal.tsx';

const REDUCERS = { workspace: (_: WorkspaceViewModel | null, fresh: WorkspaceViewModel) => fresh };

/** The page. */
export function Page({ menu }: { menu: AppMenu }) {
  const navigation = usePageNavigation();
  const { as = '', conversation = '' } = navigation.place;
  const query = new URLSearchParams({ ...(as && { as }), ...(conversation && { conversation }) });
  const { value: viewModel, isLost } = useLive<WorkspaceViewModel | null>(
    `/live/workspace?${query}`,
    null,
    REDUCERS,
  );
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
          {viewModel && <Workspace viewModel={viewModel} place={navigation.place} menu={menu} />}
          <Dock />
        </div>
      </NavigationProvider>
    </Toasts>
  );
}

function Workspace({
  viewModel,
  place,
  menu,
}: {
  viewModel: WorkspaceViewModel;
  place: Place;
  menu: AppMenu;
}) {
  const { me, team, people, open, modal, home, app, names, workspaces } = viewModel;
  const actions = useActions(me.id);
  const mentionable = app ? [app, ...people] : people;
  return (
    <NamesProvider value={names}>
      <ConfirmProvider>
        <div className="workspace">
          {/* A modal covers the workspace; the inspector stays usable. */}
          <div className="stage" inert={modal !== null}>
            <FoldingLists team={team}>
              {workspaces.length > 0 && <WorkspaceRail workspaces={workspaces} current={me.workspace} />}
              <Sidebar viewModel={viewModel} isOnHome={place.conversation === HOME} />
            </FoldingLists>
            {place.conversation === HOME && app ? (
              <Home me={me.id} page={home} actions={actions} />
            ) : open ? (
              <SelfProvider value={{ me, mentionable, conversation: open.conversation, actions, menu }}>
                <Panes messages={open.messages} thread={place.thread} />
              </SelfProvider>
            ) : (
              <main className="notice quiet">You are not in any conversation.</main>
            )}
          </div>
          {modal && <div className="curtain" />}
          {modal && <Modal key={modal.view_id} modal={modal} actions={actions} />}
        </div>
      </ConfirmProvider>
    </NamesProvider>
  );
}

/**
 * The conversation and the open thread. The thread is closed if its parent does not exist, as after a restart of the
 * sandbox.
 */
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
