/** The permissions of bot scopes, in the words of the authorize page. Any other name is not a scope. */
export const SCOPES: Readonly<Record<string, { group: 'view' | 'do'; text: string }>> = {
  'app_mentions:read': view('Messages that mention the app in conversations that it is in'),
  'channels:history': view('Messages and other content in public channels that the app has been added to'),
  'channels:join': act('Join public channels in the workspace'),
  'channels:manage': act('Manage public channels that the app has been added to, and create new ones'),
  'channels:read': view('Basic information about public channels in the workspace'),
  'chat:write': act('Send messages as the app'),
  'chat:write.customize': act('Send messages as the app with a customized username and avatar'),
  'chat:write.public': act('Send messages to channels that the app is not a member of'),
  commands: act('Add shortcuts and slash commands that people can use'),
  'files:read': view('Files shared in conversations that the app has been added to'),
  'files:write': act('Upload, edit, and delete files as the app'),
  'groups:history': view('Messages and other content in private channels that the app has been added to'),
  'groups:read': view('Basic information about private channels that the app has been added to'),
  'groups:write': act('Manage private channels that the app has been added to, and create new ones'),
  'im:history': view('Messages and other content in direct messages that the app has been added to'),
  'im:read': view('Basic information about direct messages that the app has been added to'),
  'im:write': act('Start direct messages with people'),
  'mpim:history': view('Messages and other content in group direct messages that the app has been added to'),
  'mpim:read': view('Basic information about group direct messages that the app has been added to'),
  'reactions:read': view('Emoji reactions and their content in conversations that the app has been added to'),
  'reactions:write': act('Add and edit emoji reactions'),
  'team:read': view('The name, email domain, and icon of workspaces that the app is connected to'),
  'usergroups:read': view('User groups in the workspace'),
  'users:read': view('People in the workspace'),
  'users:read.email': view('Email addresses of people in the workspace'),
};

function view(text: string) {
  return { group: 'view' as const, text };
}

function act(text: string) {
  return { group: 'do' as const, text };
}
