/** Texts of the table of servers and clients. */

export const SWITCHES = {
  label: 'Servers by client',
  server: 'Server',
  filter: 'Filter servers',
  filterHint: 'Name, command or address',
  /** The name of a switch. */
  inClient: (server: string, client: string) => `${server} in ${client}`,
  differs: 'Another definition than in most clients',
  invalid: 'Invalid entry',
  refused: 'Refused by policy',
  cannot: (client: string) => `${client} cannot have this server`,
  sync: 'Sync…',
  syncNamed: (server: string) => `Sync ${server}`,
  none: 'No server matches',
  explain:
    'A switch writes at once where nothing is lost, and can be undone. It asks where something would be.',
  profile: 'Profile',
  noProfile: 'No profile',
  saveProfile: 'Save as profile…',
  profileName: 'Name of the profile',
  saveProfileTitle: 'Save what is on as a profile',
  save: 'Save',
  cancel: 'Cancel',
  deleteProfile: 'Delete profile',
} as const;
