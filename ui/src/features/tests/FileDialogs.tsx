import { type ReactNode, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { RequestView } from '@/backend/bindings';
import { Dialog } from '@/components/Dialog';
import { TextField } from '@/components/TextField';
import { useNavigation } from '@/state/navigation';
import { showNote } from '@/state/notices';
import { useAttempt } from '@/state/servers/attempt';
import { loadRequests, useRequestFiles } from '@/state/tests/request-files';
import { REQUESTS } from './texts';
import { folderOf, inFolder, nameOf, trimmedFolder } from './tree';

interface FileDialogProps {
  title: string;
  /** The word on the button that does it. */
  action: string;
  isDangerous?: boolean;
  isReady?: boolean;
  children: ReactNode;
  onClose(): void;
  /** Changes the files. When it fails the dialog stays, and says why. */
  onAction(): Promise<void>;
}

/** Asks for what a change of the request files needs, and makes it. */
export function FileDialog({
  title,
  action,
  isDangerous = false,
  isReady = true,
  children,
  onClose,
  onAction,
}: FileDialogProps) {
  const { isBusy, problem, attempt } = useAttempt();
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      problem={problem}
      action={{
        label: action,
        isDisabled: isBusy || !isReady,
        isDangerous,
        run: () => void attempt(onAction),
      }}
    >
      <form
        className="stack gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isBusy) void attempt(onAction);
        }}
      >
        {children}
        {/* Enter presses it: that at the foot is no part of the form. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

interface Props {
  request: RequestView;
  onClose(): void;
}

/** Gives a request another name. */
export function RenameRequestDialog({ request, onClose }: Props) {
  const backend = useBackend();
  const [name, setName] = useState(request.name);
  const rename = async () => {
    await backend.renameRequest(request.path, name.trim());
    await loadRequests(backend);
    onClose();
    useNavigation.getState().openTests();
  };
  return (
    <FileDialog
      title={REQUESTS.rename}
      action={REQUESTS.rename}
      isReady={name.trim() !== ''}
      onClose={onClose}
      onAction={rename}
    >
      <TextField label={REQUESTS.name} autoFocus value={name} onChange={setName} />
    </FileDialog>
  );
}

/** Puts a request into another folder. */
export function MoveDialog({ request, onClose }: Props) {
  const backend = useBackend();
  const [folder, setFolder] = useState(folderOf(request.path));
  const move = async () => {
    const wanted = trimmedFolder(folder);
    const target = inFolder(wanted, nameOf(request.path));
    await backend.moveRequest(request.path, target);
    await loadRequests(backend);
    useRequestFiles.getState().select(target);
    showNote(REQUESTS.moved(wanted || REQUESTS.rootFolder));
    onClose();
    useNavigation.getState().openTests();
  };
  return (
    <FileDialog title={REQUESTS.move} action={REQUESTS.move} onClose={onClose} onAction={move}>
      <FolderField value={folder} onChange={setFolder} autoFocus />
    </FileDialog>
  );
}

interface FolderFieldProps {
  value: string;
  autoFocus?: boolean;
  onChange(folder: string): void;
}

/** The folder of a request file. */
export function FolderField({ value, autoFocus = false, onChange }: FolderFieldProps) {
  return (
    <TextField
      label={REQUESTS.folder}
      description={REQUESTS.folderHint}
      autoFocus={autoFocus}
      value={value}
      onChange={onChange}
    />
  );
}

/** Gives a folder another name, or another place. */
export function MoveFolderDialog({ folder, onClose }: { folder: string; onClose(): void }) {
  const backend = useBackend();
  const [text, setText] = useState(folder);
  const target = trimmedFolder(text);
  const move = async () => {
    await backend.moveRequestFolder(folder, target);
    await loadRequests(backend);
    useRequestFiles.getState().selectFolder(target);
    showNote(REQUESTS.folderMoved(target));
    onClose();
  };
  return (
    <FileDialog
      title={REQUESTS.moveFolder}
      action={REQUESTS.rename}
      isReady={target !== ''}
      onClose={onClose}
      onAction={move}
    >
      <TextField
        label={REQUESTS.folder}
        description={REQUESTS.moveFolderHint}
        autoFocus
        value={text}
        onChange={setText}
      />
    </FileDialog>
  );
}

/** Deletes a request, once that is confirmed. */
export function DeleteDialog({ request, onClose }: Props) {
  const backend = useBackend();
  const remove = async () => {
    await backend.deleteRequest(request.path);
    showNote(REQUESTS.deleted(request.name));
    onClose();
    await loadRequests(backend);
    useNavigation.getState().openTests();
  };
  return (
    <FileDialog
      title={REQUESTS.deleteTitle(request.name)}
      action={REQUESTS.delete}
      isDangerous
      onClose={onClose}
      onAction={remove}
    >
      <p>{REQUESTS.deleteMeaning}</p>
      <p>
        <code>{request.path}</code>
      </p>
    </FileDialog>
  );
}
