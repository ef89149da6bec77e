import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { FrameId } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { useAsyncEffect } from '@/components/use-async-effect';

type Blob64 = { base64: string } | { failure: string } | undefined;

/** The base64 string at `pointer`; nothing until it is there, or while it is not wanted. */
export function useBlob(frame: FrameId | null, pointer: string, wanted = true): Blob64 {
  const backend = useBackend();
  const [blob, setBlob] = useState<Blob64>();
  useAsyncEffect(() => {
    setBlob(undefined);
    if (frame === null || !wanted) return null;
    return {
      start: () => backend.getBlobBase64(frame, pointer),
      onValue: (base64) => setBlob({ base64 }),
      onError: (reason) => setBlob({ failure: asCommandError(reason).message }),
    };
  }, [backend, frame, pointer, wanted]);
  return blob;
}
