import type { ConfigurationView, ConnectionEvent, Fact, Snapshot } from '@/backend/bindings';
import { formatQuantity } from '@/lib/format';
import { atOnceInFrame, latestInFrame } from '@/lib/frames';
import { visibleText } from '@/lib/visible-text';
import { useCalls } from './calls/calls';
import { useLists } from './calls/lists';
import { type QuestionChange, useQuestions } from './calls/questions';
import { useResourceUpdates } from './calls/resource-updates';
import { endSubscription } from './calls/subscriptions';
import { useTasks } from './calls/tasks';
import { useChecks } from './checks/checks';
import { useSurfaces } from './checks/surfaces';
import { showError } from './notices';
import { useRecording } from './record/recording';
import { useSessions } from './record/sessions';
import { useServers } from './servers/servers';
import { useConfiguration } from './setup/configuration';
import { useAuth } from './sign-in/auth';
import { useSnapshot } from './snapshot';
import { useRequestFiles } from './tests/request-files';

/** A change of a file is told as this and as servers: each is drawn in a frame of its own. */
const drawConfiguration = latestInFrame((view: ConfigurationView) =>
  useConfiguration.getState().replace(view),
);

/** Fills the stores with all that a snapshot holds. */
export function applySnapshot(snapshot: Snapshot): void {
  useSnapshot.setState({
    settings: snapshot.settings,
    folder: snapshot.folder,
    answerRules: snapshot.answerRules,
    confirmations: snapshot.confirmations,
  });
  useQuestions.getState().confirm(snapshot.confirmations);
  useRecording.getState().setRecording(snapshot.recording);
  useQuestions.getState().replace(snapshot.questions, snapshot.automaticAnswers);
  useLists.getState().replace(snapshot.servers);
  useAuth.getState().replace(snapshot.auth);
  useServers.setState({
    loaded: true,
    version: snapshot.version,
    project: snapshot.project,
    servers: snapshot.servers,
    files: snapshot.files,
  });
}

/** Applies facts in their order, questions together: a server can ask many at once. */
export function applyFacts(facts: Fact[]): void {
  const questions: QuestionChange[] = [];
  for (const fact of facts) {
    const event = fact.type === 'connection' ? fact.event : null;
    if (event?.type === 'questionArrived' || event?.type === 'questionSettled') {
      questions.push(event);
    } else {
      apply(FACTS, fact);
    }
  }
  if (questions.length > 0) useQuestions.getState().apply(questions);
}

type Handlers<Told extends { type: string }> = {
  readonly [Type in Told['type']]: (told: Extract<Told, { type: Type }>) => void;
};

function apply<Told extends { type: string }>(handlers: Handlers<Told>, told: Told): void {
  const handler: (told: never) => void = handlers[told.type as Told['type']];
  handler(told as never);
}

/** Applies each kind of fact; a new one does not compile until it has a row. */
const FACTS: Handlers<Fact> = {
  connection: (fact) => apply(CONNECTION_EVENTS, fact.event),
  serversChanged: (fact) => {
    atOnceInFrame(() => {
      useServers.getState().change(fact.order, fact.changed, fact.files);
      // What has not changed in them is the same object as before.
      useLists.getState().replace(useServers.getState().servers);
    });
  },
  server: (fact) => useServers.getState().replace(fact.server),
  doctor: (fact) => useChecks.getState().applyDoctor(fact.report),
  configuration: (fact) => drawConfiguration(fact.view),
  recording: (fact) => useRecording.getState().setRecording(fact.state),
  auth: (fact) => useAuth.getState().set(fact.view),
  folder: (fact) => useSnapshot.setState({ folder: fact.folder }),
  answerRules: (fact) => useSnapshot.setState({ answerRules: fact.view }),
  confirmations: (fact) => {
    useSnapshot.setState({ confirmations: fact.open });
    useQuestions.getState().confirm(fact.open);
  },
  settings: (fact) => useSnapshot.setState({ settings: fact.settings }),
  surface: (fact) => useSurfaces.getState().noteCompared(fact.server),
  sessions: (fact) => useSessions.getState().replace(fact.sessions),
  requests: (fact) => useRequestFiles.getState().replace(fact.view),
  restarts: (fact) => useSnapshot.setState({ restarts: fact.restarts }),
  requestRun: (fact) => useRequestFiles.getState().apply(fact.event),
  conformance: (fact) => useChecks.getState().applyConformance(fact.event),
  task: (fact) => useTasks.getState().set(fact.task),
  taskForgotten: (fact) => useTasks.getState().forget(fact.server, fact.id),
  load: (fact) => useChecks.getState().applyLoad(fact.event),
  export: (fact) => useSnapshot.setState({ exported: fact.progress }),
  updatesDropped: (fact) =>
    showError({
      code: 'system',
      message: `${formatQuantity(fact.count, 'announcement')} of changed resources came faster than the window could show them.`,
      hint: 'Read the resources again. Traffic has every announcement.',
    }),
};

/** Applies each kind of event of a connection; a new one does not compile until it has a row. */
const CONNECTION_EVENTS: Handlers<ConnectionEvent> = {
  status: (event) => useServers.getState().setStatus(event.server, event.status),
  list: (event) => useLists.getState().set(event.server, event.change),
  progress: (event) => useCalls.getState().report(event.call, event.progress),
  resourceUpdated: (event) => useResourceUpdates.getState().count(event.server, event.uri),
  resourcesUpdated: (event) => useResourceUpdates.getState().markAll(event.server),
  subscriptionRefused: (event) => {
    if (endSubscription(event.server, event.uri)) {
      showError({
        code: 'system',
        message: `The server refused to renew the subscription to ${visibleText(event.uri)}.`,
        hint: 'Its changes are no longer announced. Traffic shows the refusal; subscribe again to retry.',
      });
    }
  },
  answeredAutomatically: (event) => useQuestions.getState().answer(event.answer),
  // `applyFacts` applies these together.
  questionArrived: () => {},
  questionSettled: () => {},
};
