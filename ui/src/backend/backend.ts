import { createContext, useContext } from 'react';
import type { commands, InspectorEvent, RecordRevision, SessionId, Snapshot } from './bindings';

/** Commands that read a record, of which the first argument chooses one. */
type RecordCommand =
  | 'listTraffic'
  | 'getTrafficDetail'
  | 'listTrafficOperations'
  | 'getTrafficOperation'
  | 'getTrafficCausality'
  | 'listToolCalls'
  | 'getPastCall'
  | 'getTrafficTimeline'
  | 'getTrafficTimelineStep'
  | 'getTrafficTimelineOperation'
  | 'getPayloadLines'
  | 'getPayloadText'
  | 'searchPayload'
  | 'getBlobHex'
  | 'getBlobBase64'
  | 'copyExchange'
  | 'savePart';

type Commands = Omit<
  typeof commands,
  RecordCommand | 'subscribeEvents' | 'subscribeTraffic' | 'notify'
>;

/** Ends what it was returned for. */
export type Unsubscribe = () => void;

type OfOneRecord<Command> = Command extends (
  session: SessionId | null,
  ...rest: infer Rest
) => infer Answer
  ? (...rest: Rest) => Answer
  : never;

/** Reads one record: that of the program, or that of an opened session. */
export type RecordReader = {
  [Name in RecordCommand]: OfOneRecord<(typeof commands)[Name]>;
} & {
  /** Tells that the record changed, at most about fifteen times a second. */
  onTraffic(listener: (revision: RecordRevision) => void): Promise<Unsubscribe>;
};

/**
 * The commands and events of the backend. Every command rejects with a `CommandError`. The window
 * has one, `tauriBackend`; in a browser `backend/browser` stands in for its IPC.
 */
export interface Backend extends Commands, RecordReader {
  /** The snapshot that the host gave along when it opened the window. */
  readonly given: Snapshot | null;
  /** Hands over every fact from now on, in batches. Resolves once nothing can be missed. */
  onEvents(listener: (batch: InspectorEvent[]) => void): Promise<Unsubscribe>;
  /** Reads the record of an opened session. */
  readerOf(session: SessionId): RecordReader;
  /** Shows a notification of the system; a click on it brings the window to the front. */
  notify(title: string, body: string, onClick: () => void): Promise<void>;
}

/**
 * Marks in the session that the page was loaded anew for another project, so that what the host
 * gave along at the start is of the one before. The host sets it too (`LOAD_ANEW` in desktop.rs).
 */
export const SWITCHED = 'sightglass.switched';

export const BackendContext = createContext<Backend | null>(null);

/** The backend that this window was opened on. */
export function useBackend(): Backend {
  const backend = useContext(BackendContext);
  if (!backend) throw new Error('useBackend needs a BackendContext around it');
  return backend;
}
