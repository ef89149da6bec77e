import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { Select } from '@/components/Select';
import { TextField } from '@/components/TextField';
import { visibleText } from '@/lib/visible-text';
import { useClose } from '@/state/dialogs';
import { useNavigation } from '@/state/navigation';
import { useConfiguredServers } from '@/state/servers/servers';
import { loadRequests, useRequestFiles } from '@/state/tests/request-files';
import { ToolField } from '@/widgets/tool-field/ToolField';
import { useToolNames } from '@/widgets/tool-field/use-tool-names';
import { FileDialog, FolderField } from './FileDialogs';
import { FIRST_METHOD, firstParams, METHODS } from './new-request';
import { NEW_REQUEST, REQUESTS, SAVE_TEST } from './texts';

/** Writes a request as a file of the project, to be filled in there. */
export function NewRequestDialog() {
  const backend = useBackend();
  const close = useClose();
  const servers = useConfiguredServers();
  const shown = useNavigation((state) => state.server);
  const [chosen, setChosen] = useState<ServerId | null>(shown);
  const server = servers.find(({ id }) => id === chosen) ?? servers[0];
  const tools = useToolNames(server);
  const [method, setMethod] = useState<string>(FIRST_METHOD);
  const [subject, setSubject] = useState('');
  const [name, setName] = useState<string | null>(null);
  const [folder, setFolder] = useState('');
  const subjectLabel = NEW_REQUEST.subjects[method];
  const named = name ?? (subjectLabel === undefined ? method : subject);
  const isReady =
    server !== undefined &&
    named.trim() !== '' &&
    (subjectLabel === undefined || subject.trim() !== '');
  const create = async () => {
    if (!server) return;
    const params = firstParams(method, subject.trim());
    const draft = { folder, name: named, server: server.id, method, params };
    const path = await backend.createRequest(draft);
    await loadRequests(backend);
    close();
    useRequestFiles.getState().select(path);
    useNavigation.getState().openTests();
  };
  return (
    <FileDialog
      title={NEW_REQUEST.title}
      action={NEW_REQUEST.create}
      isReady={isReady}
      onClose={close}
      onAction={create}
    >
      <p className="break-anywhere text-data remark">
        {server === undefined ? NEW_REQUEST.noServer : SAVE_TEST.meaning}
      </p>
      <Select
        label={NEW_REQUEST.server}
        choices={servers.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
        value={server?.id ?? null}
        onChange={setChosen}
      />
      <Select
        label={NEW_REQUEST.method}
        choices={METHODS.map((value) => ({ value, label: value }))}
        value={method}
        onChange={setMethod}
      />
      {method === 'tools/call' && subjectLabel !== undefined ? (
        <ToolField label={subjectLabel} names={tools} value={subject} onChange={setSubject} />
      ) : (
        subjectLabel !== undefined && (
          <TextField label={subjectLabel} autoFocus mono value={subject} onChange={setSubject} />
        )
      )}
      <TextField label={REQUESTS.name} value={named} onChange={setName} />
      <FolderField value={folder} onChange={setFolder} />
    </FileDialog>
  );
}
