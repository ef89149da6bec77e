import { useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { FrameId } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';

export type Blob64 = { base64: string } | { failure: string } | undefined;

/** The base64 string at `pointer`; nothing until it is there, or while it is not wanted. */
export function useBlob(frame: FrameId | null, pointer: string, wanted = true): Blob64 {
  const backend = useBackend();
  const [blob, setBlob] = useState<Blob64>();
  useEffect(() => {
    setBlob(undefined);
    if (frame === null || !wanted) return;
    let isCurrent = true;
    backend.blobBase64(frame, pointer).then(
      (base64) => isCurrent && setBlob({ base64 }),
      (reason) => isCurrent && setBlob({ failure: asCommandError(reason).message }),
    );
    return () => {
      isCurrent = false;
    };
  }, [backend, frame, pointer, wanted]);
  return blob;
}
