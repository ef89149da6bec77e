import type {
  AuthView,
  ServerSettings,
  ServerView,
  SessionView,
  SurfaceCounterpart,
} from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import { recordedServers } from '@/state/record/sessions';
import { SURFACE } from './texts';

/** A side that the surface of a server can be compared with. */
export interface CounterpartChoice {
  value: string;
  label: string;
  detail: string;
  counterpart: SurfaceCounterpart;
}

/** Extensions that servers are known to ask for. */
const KNOWN_EXTENSIONS = ['io.modelcontextprotocol/ui', 'io.modelcontextprotocol/tasks'] as const;

/** Sides at hand to compare a server with. */
interface AtHand {
  servers: readonly ServerView[];
  sessions: readonly SessionView[];
  auth: AuthView | undefined;
  settings: Pick<ServerSettings, 'extensions'> | null;
}

/** Everything that a server can be compared with. */
export function counterpartsOf(
  server: ServerView,
  { servers, sessions, auth, settings }: AtHand,
): CounterpartChoice[] {
  const of = (counterpart: SurfaceCounterpart, label: string, detail: string) => ({
    value: JSON.stringify(counterpart),
    label,
    detail,
    counterpart,
  });
  const declared = declaredExtensions(settings?.extensions ?? '');
  const extensions = [...new Set([...declared, ...KNOWN_EXTENSIONS])];
  return [
    ...servers
      .filter(({ id }) => id !== server.id)
      .map(({ id, name }) =>
        of({ type: 'server', server: id }, visibleText(name), SURFACE.otherServer),
      ),
    ...recordedServers(sessions).map(({ recording, label }) =>
      of({ type: 'recording', recording }, label, SURFACE.recording),
    ),
    of({ type: 'reconnect' }, SURFACE.reconnect, SURFACE.reconnectDetail),
    ...(['modern', 'legacy'] as const).map((era) =>
      of({ type: 'era', era }, SURFACE.era[era], SURFACE.eraDetail[era]),
    ),
    ...(auth?.identities ?? [])
      .filter(({ name }) => name !== auth?.identity)
      .map(({ name }) =>
        of(
          { type: 'identity', identity: name },
          SURFACE.identity(visibleText(name)),
          SURFACE.identityDetail,
        ),
      ),
    ...extensions.map((name) => {
      const isDeclared = declared.includes(name);
      return of(
        { type: 'extension', name, isDeclared: !isDeclared },
        (isDeclared ? SURFACE.withoutExtension : SURFACE.withExtension)(visibleText(name)),
        SURFACE.extensionDetail,
      );
    }),
  ];
}

/** The identifiers in the settings' JSON text, which was looked at when it was saved. */
function declaredExtensions(text: string): string[] {
  if (text.trim() === '') return [];
  try {
    return Object.keys(JSON.parse(text));
  } catch {
    return [];
  }
}
