import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ExpectationDraft, ServerId } from '@/backend/bindings';
import { Select } from '@/components/Select';
import { TextField } from '@/components/TextField';
import { visibleText } from '@/lib/visible-text';
import { type Passed, useClose } from '@/state/dialogs';
import { useNavigation } from '@/state/navigation';
import { showNote } from '@/state/notices';
import { useServer } from '@/state/servers/servers';
import { loadRequests, testsOf, useRequestFiles } from '@/state/tests/request-files';
import { FileDialog, FolderField } from './FileDialogs';
import { REQUESTS, SAVE_TEST } from './texts';

interface SaveTestDialogProps {
  server: ServerId;
  method: string;
  params: string;
  /** The name that it gets unless the user says otherwise: the tool, prompt or resource. */
  name: string;
  expected?: ExpectationDraft | undefined;
  passedBy?: Passed | undefined;
}

/** Stands for a test that is not there yet: a choice has to have a value. */
const NEW = '';

/** The test of each call that was saved: what is pointed at next in its answer belongs there. */
const savedCalls = new Map<string, string>();

/** Saves a call as a test of the project, or adds what is expected of its answer to one. */
export function SaveTestDialog({
  server: id,
  method,
  params,
  name,
  expected,
  passedBy,
}: SaveTestDialogProps) {
  const backend = useBackend();
  const close = useClose();
  const server = useServer(id);
  const view = useRequestFiles((state) => state.view);
  const [wanted, setWanted] = useState(name);
  const [folder, setFolder] = useState('');
  const same = (expected && server ? testsOf(view, server) : []).filter(
    (test) => test.method === method && test.subject === name,
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const call = `${id}\n${method}\n${params}`;
  const path = chosen ?? same.find((test) => test.path === savedCalls.get(call))?.path ?? NEW;
  const save = async () => {
    const saved =
      path === NEW
        ? await backend.createRequest({ folder, name: wanted, server: id, method, params })
        : path;
    const isKnown = savedCalls.get(call) === saved && saved in useRequestFiles.getState().reports;
    savedCalls.set(call, saved);
    if (expected) {
      const view = await backend.createExpectation(saved, expected);
      // What is expected was taken from the answer, and the rest of the test came of the same call.
      if (passedBy !== undefined && (path === NEW || isKnown)) {
        useRequestFiles.getState().pass(view, id, passedBy);
      }
    }
    await loadRequests(backend);
    close();
    showNote(SAVE_TEST.saved(saved), {
      label: SAVE_TEST.open,
      run: () => {
        useRequestFiles.getState().select(saved);
        useNavigation.getState().openTests();
      },
    });
  };
  return (
    <FileDialog
      title={SAVE_TEST.title}
      action={SAVE_TEST.save}
      isReady={wanted.trim() !== ''}
      onClose={close}
      onAction={save}
    >
      <p className="break-anywhere text-data remark">
        {expected ? (
          <>
            {SAVE_TEST.expects[0]} <code>{visibleText(expected.value)}</code> {expected.is}
            {expected.to !== null && <code> {visibleText(expected.to)}</code>}
            {path === NEW && SAVE_TEST.expects[1]}.
          </>
        ) : (
          SAVE_TEST.meaning
        )}
      </p>
      {same.length > 0 && (
        <Select
          label={SAVE_TEST.addTo}
          choices={[
            ...same.map((test) => ({ value: test.path, label: visibleText(test.name) })),
            { value: NEW, label: SAVE_TEST.newTest },
          ]}
          value={path}
          onChange={setChosen}
        />
      )}
      {path === NEW && (
        <>
          <TextField label={REQUESTS.name} autoFocus value={wanted} onChange={setWanted} />
          <FolderField value={folder} onChange={setFolder} />
        </>
      )}
    </FileDialog>
  );
}
