import { useBackend } from '@/backend/backend';
import { webAddress } from '@/lib/url';

/** An address of somebody else, which is read before it is opened. */
interface Address {
  /** As the browser reads it; undefined where it is no web address, and cannot be opened. */
  opened: string | undefined;
  /** The one value that is shown, and opened where it can be. */
  shown: string;
  /** Opens it in the browser. */
  open(): Promise<void>;
}

/** Returns what is shown of an address and how exactly that is opened. */
export function useAddress(address: string): Address {
  const backend = useBackend();
  const opened = webAddress(address);
  return {
    opened,
    shown: opened ?? address,
    open: async () => {
      if (opened !== undefined) await backend.openAddress(opened);
    },
  };
}
