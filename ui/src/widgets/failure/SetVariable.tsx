import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { editConfig } from '@/state/setup/config-view';
import { useEditableTarget } from '@/state/setup/configuration';
import { SET_VARIABLE } from './texts';

interface SetVariableProps {
  server: ServerView;
  /** The variable of the environment that its program lacks. */
  name: string;
}

/** Opens the entry of a server at the row of a variable; absent where it cannot be edited. */
export function SetVariable({ server, name }: SetVariableProps) {
  const target = useEditableTarget(server);
  if (!target) return null;
  return (
    <Button onPress={() => editConfig({ target, name: server.name, place: null, variable: name })}>
      {SET_VARIABLE(name)}
    </Button>
  );
}
