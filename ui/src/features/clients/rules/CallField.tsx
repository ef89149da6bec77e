import type { ServerView } from '@/backend/bindings';
import { ComboField } from '@/components/ComboField';
import { useToolNames } from '@/widgets/tool-field/ToolField';
import { cellText } from '../cells';
import { RULES } from '../texts';

interface CallFieldProps {
  server: ServerView;
  value: string;
  onChange(tool: string): void;
}

/** The name of a tool: typed, or chosen among those of a connected server. */
export function CallField({ server, value, onChange }: CallFieldProps) {
  const names = useToolNames(server);
  return (
    <ComboField
      label={RULES.typeTool}
      mono
      choices={names}
      shown={cellText}
      value={value}
      onChange={onChange}
    />
  );
}
