import type { ServerView } from '@/backend/bindings';
import { ChecksTab } from '@/features/checks/ChecksTab';
import { FailureAction } from '@/features/servers/overview/FailurePanel';
import { ApproveRunDialog } from '@/features/tests/ApproveRunDialog';
import { ServerTests } from '@/features/tests/ServerTests';

/** The checks of a server, with what other areas have to say: repairs, and its tests. */
export default function ServerChecks({ server }: { server: ServerView }) {
  return (
    <>
      <ChecksTab
        server={server}
        remedy={({ action, failure }) =>
          action && <FailureAction server={server} action={action} failure={failure?.failure} />
        }
        tests={<ServerTests server={server} />}
      />
      <ApproveRunDialog />
    </>
  );
}
