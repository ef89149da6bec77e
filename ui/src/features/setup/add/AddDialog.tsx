import { useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type {
  Bundle,
  Candidate,
  ConfigAction,
  ConflictChoice,
  Draft,
  RegistryServer,
  RemoteBundle,
  ServerId,
  Target,
} from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Caution } from '@/components/Caution';
import { Confirmed } from '@/components/Confirmed';
import { InlineCode } from '@/components/InlineCode';
import { Segmented } from '@/components/Segmented';
import { TextField } from '@/components/TextField';
import { useAsyncEffect } from '@/components/use-async-effect';
import { entirelyVisible } from '@/lib/visible-text';
import { useClose } from '@/state/dialogs';
import { openPlace } from '@/state/navigation';
import { showError } from '@/state/notices';
import { connectOnceKnown, onceKnown } from '@/state/servers/connecting';
import { clientOf, serverOf, useConfiguration } from '@/state/setup/configuration';
import { useAnswer } from '@/widgets/use-answer';
import { ChangeDialog } from '../change/ChangeDialog';
import { usualTarget } from '../change/places';
import { TargetField } from '../change/TargetField';
import { draftOf, errorsOf, findingOf, isComplete } from '../edit/form';
import { ServerForm } from '../edit/ServerForm';
import { useCheck } from '../edit/use-check';
import styles from './add.module.css';
import { BundleChooser, BundleDownload, BundleFacts } from './Bundle';
import { EnvironmentFields } from './EnvironmentFields';
import { takeEarlyPaste, usePasteBesideFields } from './early-paste';
import { InputFields } from './InputFields';
import {
  givenSecrets,
  inputError,
  missingInputs,
  type SecretPlace,
  withReferences,
  withValues,
} from './inputs';
import { LocalNetwork } from './LocalNetwork';
import { RegistryChoice } from './RegistryChoice';
import { RegistryList } from './RegistryList';
import { isOneServer, type Recognised, recognise } from './recognise';
import { SecretPlaceField } from './SecretPlaceField';
import { SeveralFound } from './SeveralFound';
import { summaryOf } from './summary';
import { ADD, clipboardOffer, missingValues, PASTE } from './texts';
import { useDraftLaunches } from './use-draft-launches';
import { freeName, useOffer } from './use-offer';
import { WayField } from './WayField';

/** The source of the server. */
type Origin = 'text' | 'registry' | 'bundle' | 'local';

interface AddDialogProps {
  target?: Target | undefined;
  /** A server that was tried, and is saved now. */
  tried?: { server: ServerId; draft: Draft } | undefined;
  /** A link that the application was opened with. */
  text?: string | undefined;
}

/** Adds a server from whatever the user has: fields typed in, a text, the registry, a bundle, the local network. */
export function AddDialog({ target: given, tried, text = '' }: AddDialogProps) {
  const backend = useBackend();
  const close = useClose();
  const view = useConfiguration((state) => state.view);
  const [chosen, setTarget] = useState(given);
  const target = chosen ?? usualTarget(view);
  const isTakenIn = (file: Target) => (name: string) =>
    serverOf(view, file.client, name)?.cells.some(({ scope }) => scope === file.scope) === true;
  const isTaken = isTakenIn(target);
  const [origin, setOrigin] = useState<Origin>('text');
  const { form, values, way, ways, setForm, setValues, take, offer, release } = useOffer(
    isTaken,
    tried?.draft,
  );
  const [secretPlace, setSecretPlace] = useState<SecretPlace>('keychain');
  const secrets = givenSecrets(way, values);
  const hasSecrets = Object.keys(secrets).length > 0;
  const keepsSecrets = hasSecrets && secretPlace === 'keychain';
  const written = keepsSecrets ? withReferences(values, secrets) : values;
  const filled = withValues(form, written, way?.inputs);
  /** False for a file of a client that cannot resolve the reference. */
  const canRefer = !keepsSecrets || target.client === 'mcp-json';
  /** True where it was opened with something that the user did not type. */
  const isGiven = text !== '' || tried !== undefined;
  const [pasted, setPasted] = useState(() => text || takeEarlyPaste());
  usePasteBesideFields((late) => {
    if (origin === 'text' && pasted === '') setPasted(late);
  });
  const [search, setSearch] = useState('');
  const [listed, setListed] = useState<RegistryServer | null>(null);
  const [bundle, setBundle] = useState<Bundle | null>(null);
  /** The bundle of the registry that is to be downloaded, or was. */
  const [wanted, setWanted] = useState<RemoteBundle | null>(null);
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const [conflict, setConflict] = useState<ConflictChoice>('keepBoth');
  /** Variables that several servers may read. */
  const [shared, setShared] = useState<readonly string[]>([]);
  // Only what the user opened may look at it, and not what a page opened.
  const { value: clipboard } = useAnswer(isGiven ? null : () => backend.getClipboardOffer(), [
    backend,
    isGiven,
  ]);
  const found = useRecognised(pasted);
  const check = useCheck(target, filled, null);

  // What was recognised fills the form; several servers are listed instead.
  useEffect(() => {
    const candidates = found?.candidates ?? [];
    setShared([]);
    if (candidates.length > 0 && isOneServer(candidates)) offer(candidates);
    else release();
  }, [found, offer, release]);
  const change = (next: Origin) => {
    setOrigin(next);
    setPasted('');
    setListed(null);
    setBundle(null);
    setWanted(null);
    offer([]);
  };
  const takeBundleOf = (remote: RemoteBundle | null) => {
    setWanted(remote);
    setBundle(null);
    if (remote) offer([]);
  };
  /** Offers a version of a server; its bundle where it is nothing else. */
  const list = (server: RegistryServer) => {
    setListed(server);
    offer(server.candidates);
    takeBundleOf(server.candidates.length === 0 ? (server.bundles[0] ?? null) : null);
  };
  const takeBundle = (reading: Promise<Bundle | null>) => {
    reading
      .then((read) => {
        if (!read) return;
        setBundle(read);
        offer(read.candidates);
      })
      .catch(showError);
  };
  const chooseBundle = () => takeBundle(backend.chooseBundle());

  const expresses = clientOf(view, target.client)?.expresses;
  const hasFault = way?.inputs.some((input) => inputError(input, values[input.name] ?? ''));
  const several =
    found && !isOneServer(found.candidates)
      ? found.candidates.map(({ draft }): Draft => ({ ...draft, variables: [...shared] }))
      : null;
  const taken = several?.filter(({ name }) => !skipped.has(name));
  const { launches, environment, isCurrent } = useDraftLaunches(taken ?? [draftOf(filled)]);
  const allowed = several ? shared : (form.variables ?? []);
  const isWhole =
    isComplete(filled, check) && canRefer && (origin === 'text' || way !== null) && !hasFault;
  const action: ConfigAction | null = several
    ? {
        type: 'import',
        target,
        items: (taken ?? []).map((draft) => ({ draft, conflict })),
      }
    : isWhole && !isTaken(form.name.trim())
      ? way?.bundle
        ? { type: 'addBundle', target, draft: draftOf(filled), archive: way.bundle }
        : { type: 'add', target, draft: draftOf(filled) }
      : null;

  /** Saves it in another file, under the name that is free there unless the user has given one. */
  const saveIn = (next: Target) => {
    setTarget(next);
    const { name } = way?.draft ?? tried?.draft ?? { name: '' };
    if (name === '' || form.name !== freeName(name, isTaken)) return;
    setForm({ ...form, name: freeName(name, isTakenIn(next)) });
  };
  const saved = <TargetField label={ADD.savedIn} value={target} onChange={saveIn} />;
  const fields = expresses && (
    <ServerForm
      form={form}
      check={check}
      expresses={expresses}
      besideName={origin === 'text' && saved}
      hidesName={origin !== 'text'}
      onChange={setForm}
    />
  );
  const added = `${target.client}:${form.name.trim()}`;
  const showAdded = () => {
    if (tried) void backend.deleteTried(tried.server).catch(showError);
    if (several) return;
    onceKnown(added, () => openPlace({ server: added, tab: 'overview' }));
  };
  /** Connects without writing anything. */
  const tryIt = async () => {
    try {
      const server = await backend.tryServer(draftOf(filled));
      if (tried && tried.server !== server) await backend.deleteTried(tried.server);
      close();
      onceKnown(server, () => openPlace({ server, tab: 'overview' }));
    } catch (reason) {
      showError(reason);
    }
  };
  /** Tells whether a variable has no value in the environment either. */
  const isUnset = (name: string) =>
    check.variables.some((variable) => variable.name === name && variable.origin === 'unset');
  const isChosen = origin === 'text' || way !== null;
  const [launch = null] = launches;

  return (
    <ChangeDialog
      title={ADD.title}
      verb={ADD.save}
      action={action}
      secrets={keepsSecrets ? secrets : undefined}
      placeholder={isChosen ? ADD.changeHint : undefined}
      isGiven={isGiven}
      isBeside
      isTyped={origin === 'text' && !isGiven}
      onApplied={showAdded}
      next={
        !several
          ? {
              verb: ADD.saveAndConnect,
              onApplied: () => {
                showAdded();
                connectOnceKnown(backend, added, origin === 'text' && !isGiven);
              },
            }
          : undefined
      }
      instead={
        // A bundle is unpacked when it is saved.
        several || way?.bundle
          ? undefined
          : {
              verb: ADD.tryIt,
              isDisabled: !isCurrent || launch?.kind === 'unusable',
              launch: isWhole ? launch : null,
              run: () => void tryIt(),
            }
      }
    >
      <Segmented
        label={ADD.from}
        className="self-start"
        value={origin}
        onChange={change}
        segments={[
          { value: 'text', label: ADD.text },
          { value: 'registry', label: ADD.registry },
          { value: 'bundle', label: ADD.bundle },
          { value: 'local', label: ADD.local },
        ]}
      />
      {origin === 'text' && (
        <TextField
          label={ADD.pasteField}
          autoFocus
          lines={pasted.includes('\n') ? 6 : 2}
          mono
          placeholder={ADD.pasteHint}
          value={pasted}
          onChange={setPasted}
          description={
            found ? (
              <Found found={found} way={way} />
            ) : (
              clipboard && (
                <span className="row wrap gap-2-4">
                  <span>
                    <InlineCode text={entirelyVisible(clipboardOffer(clipboard.names))} />
                  </span>
                  <Button variant="quiet" onPress={() => setPasted(clipboard.text)}>
                    {PASTE}
                  </Button>
                </span>
              )
            )
          }
        />
      )}
      {origin === 'registry' && !listed && (
        <RegistryList
          text={search}
          onSearch={setSearch}
          onPaste={() => change('text')}
          onChoose={list}
        />
      )}
      {origin === 'registry' && listed && (
        <>
          <RegistryChoice
            server={listed}
            onBack={() => {
              setListed(null);
              takeBundleOf(null);
              offer([]);
            }}
            onChoose={list}
          />
          {!way && !wanted && (
            <Caution role="note" className={styles.caution}>
              {ADD.nothingToUse}
            </Caution>
          )}
          <WayField
            ways={listed.candidates}
            bundles={listed.bundles}
            value={wanted ?? way}
            onChange={(one) => {
              takeBundleOf(null);
              take(one);
            }}
            onBundle={takeBundleOf}
          />
          {wanted &&
            (bundle ? (
              <BundleFacts bundle={bundle} />
            ) : (
              <BundleDownload
                key={wanted.url}
                listed={wanted}
                onDownloaded={(read) => {
                  setBundle(read);
                  offer(read.candidates);
                }}
              />
            ))}
        </>
      )}
      {origin === 'bundle' &&
        (bundle ? (
          <BundleFacts bundle={bundle} onChange={chooseBundle} />
        ) : (
          <BundleChooser
            onChoose={chooseBundle}
            onRead={(path) => takeBundle(backend.readBundle(path))}
          />
        ))}
      {origin === 'local' && (
        <LocalNetwork onChoose={(server) => offer(server ? [server.candidate] : [])} />
      )}
      {origin === 'text' && way && <WayField ways={ways} value={way} onChange={take} />}
      {way && (
        <>
          <InputFields
            inputs={way.inputs}
            values={values}
            keepsSecrets={way.bundle !== null && secretPlace === 'keychain'}
            allowed={allowed}
            onChange={setValues}
          />
          {hasSecrets && (
            <SecretPlaceField value={secretPlace} target={target} onChange={setSecretPlace} />
          )}
          <Missing names={missingInputs(way.inputs, values).filter(isUnset)} />
        </>
      )}
      <EnvironmentFields
        variables={environment}
        allowed={allowed}
        onChange={(variables) => (several ? setShared(variables) : setForm({ ...form, variables }))}
      />
      {several ? (
        <>
          {saved}
          <SeveralFound
            drafts={several}
            skipped={skipped}
            isTaken={isTaken}
            conflict={conflict}
            onChange={setSkipped}
            onConflict={setConflict}
          />
        </>
      ) : origin === 'text' ? (
        fields
      ) : (
        way && (
          <>
            <div className={styles.pair}>
              <TextField
                label={ADD.name}
                value={form.name}
                error={errorsOf(form).name ?? findingOf(check, 'name', 'error')}
                onChange={(name) => setForm({ ...form, name })}
              />
              {saved}
            </div>
            <details className={styles.fields}>
              <summary>
                {ADD.allFields} <Confirmed text={summaryOf(draftOf(filled))} />
              </summary>
              {fields}
            </details>
          </>
        )
      )}
    </ChangeDialog>
  );
}

/**
 * Inputs that are still missing. The server can be saved without one that may be read from the
 * environment, and not without one that may not.
 */
function Missing({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Caution role="note" className={styles.caution}>
      {entirelyVisible(missingValues(names))}
    </Caution>
  );
}

/** The kind of text that was recognised. */
function Found({ found, way }: { found: Recognised; way: Candidate | null }) {
  const notes = way ? way.notes : found.candidates.flatMap((one) => one.notes);
  return (
    <span role="status" className="stack break-anywhere">
      <span className={found.isUnderstood ? 'ok' : styles.bad}>
        <span aria-hidden="true">{found.isUnderstood ? '✓ ' : '✕ '}</span>
        {entirelyVisible(found.message)}
      </span>
      {[...new Set(notes)].map((note) => (
        <span key={note}>{entirelyVisible(note)}</span>
      ))}
    </span>
  );
}

/** Recognises a text, a moment after the last key; null for an empty one. */
function useRecognised(text: string): Recognised | null {
  const backend = useBackend();
  const [found, setFound] = useState<Recognised | null>(null);
  useAsyncEffect(() => {
    if (text.trim() === '') {
      setFound(null);
      return null;
    }
    return {
      start: () => recognise(text, backend),
      onValue: setFound,
      onError: showError,
      delay: 150,
    };
  }, [backend, text]);
  return found;
}
