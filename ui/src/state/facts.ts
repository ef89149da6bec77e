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
      applyFact(fact);
    }
  }
  if (questions.length > 0) useQuestions.getState().apply(questions);
}

function applyFact(fact: Fact): void {
  switch (fact.type) {
    case 'connection':
      applyConnectionEvent(fact.event);
      break;
    case 'serversChanged':
      atOnceInFrame(() => {
        useServers.getState().change(fact.order, fact.changed, fact.files);
        // What has not changed in them is the same object as before.
        useLists.getState().replace(useServers.getState().servers);
      });
      break;
    case 'doctor':
      useChecks.getState().applyDoctor(fact.report);
      break;
    case 'configuration':
      drawConfiguration(fact.view);
      break;
    case 'recording':
      useRecording.getState().setRecording(fact.state);
      break;
    case 'auth':
      useAuth.getState().set(fact.view);
      break;
    case 'folder':
      useSnapshot.setState({ folder: fact.folder });
      break;
    case 'answerRules':
      useSnapshot.setState({ answerRules: fact.view });
      break;
    case 'confirmations':
      useSnapshot.setState({ confirmations: fact.open });
      break;
    case 'settings':
      useSnapshot.setState({ settings: fact.settings });
      break;
    case 'surface':
      useSurfaces.getState().noteCompared(fact.server);
      break;
    case 'sessions':
      useSessions.getState().replace(fact.sessions);
      break;
    case 'requests':
      useRequestFiles.getState().replace(fact.view);
      break;
    case 'restarts':
      useSnapshot.setState({ restarts: fact.restarts });
      break;
    case 'requestRun':
      useRequestFiles.getState().apply(fact.event);
      break;
    case 'conformance':
      useChecks.getState().applyConformance(fact.event);
      break;
    case 'task':
      useTasks.getState().set(fact.task);
      break;
    case 'taskForgotten':
      useTasks.getState().forget(fact.server, fact.id);
      break;
    case 'load':
      useChecks.getState().applyLoad(fact.event);
      break;
    case 'export':
      useSnapshot.setState({ exported: fact.progress });
      break;
    case 'updatesDropped':
      showError({
        code: 'system',
        message: `${formatQuantity(fact.count, 'announcement')} of changed resources came faster than the window could show them.`,
        hint: 'Read the resources again. Traffic has every announcement.',
      });
      break;
    default:
      // A new fact does not compile until it has a case.
      fact satisfies never;
  }
}

function applyConnectionEvent(event: ConnectionEvent): void {
  switch (event.type) {
    case 'status':
      useServers.getState().setStatus(event.server, event.status);
      break;
    case 'list':
      useLists.getState().set(event.server, event.change);
      break;
    case 'progress':
      useCalls.getState().report(event.call, event.progress);
      break;
    case 'resourceUpdated':
      useResourceUpdates.getState().count(event.server, event.uri);
      break;
    case 'resourcesUpdated':
      useResourceUpdates.getState().markAll(event.server);
      break;
    case 'subscriptionRefused':
      if (endSubscription(event.server, event.uri)) {
        showError({
          code: 'system',
          message: `The server refused to renew the subscription to ${visibleText(event.uri)}.`,
          hint: 'Its changes are no longer announced. Traffic shows the refusal; subscribe again to retry.',
        });
      }
      break;
    case 'answeredAutomatically':
      useQuestions.getState().answer(event.answer);
      break;
    case 'questionArrived':
    case 'questionSettled':
      // `applyFacts` applies these together.
      break;
    default:
      event satisfies never;
  }
}
