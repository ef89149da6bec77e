import { type ExactValue, isExactObject, readExact, stringifyExact } from '@/lib/json/exact';
import { HINTS } from '@/widgets/item-list/texts';
import { TOOL } from './texts';

/** The shown parts of a tool. */
export interface ToolDefinition {
  title: string | undefined;
  description: string;
  /** Labels of the server's hints (MCP, ToolAnnotations). */
  tags: readonly { label: string; isRisky: boolean }[];
  /** JSON Schemas, as JSON. */
  inputSchema: string;
  /** The reason why nothing of the definition could be read. */
  problem: string | undefined;
  /** The wish of the server that it is called as a task (MCP 2025-11-25, `execution`). */
  taskSupport: 'optional' | 'required' | undefined;
}

/** Stands for a schema that the engine has no room for: it allows anything. */
const UNREADABLE = '{}';
const NO_ARGUMENTS = '{"type":"object"}';

export function readTool(json: string): ToolDefinition {
  const whole = readExact(json);
  const tool = isExactObject(whole) ? whole : {};
  const annotations = isExactObject(tool.annotations) ? tool.annotations : {};
  const execution = isExactObject(tool.execution) ? tool.execution : {};
  const text = (value: ExactValue | undefined) => (typeof value === 'string' ? value : undefined);
  const tags = [
    annotations.readOnlyHint === true && { label: HINTS.readOnly.name, isRisky: false },
    annotations.destructiveHint === true &&
      annotations.readOnlyHint !== true && { label: HINTS.destructive.name, isRisky: true },
    annotations.idempotentHint === true && { label: HINTS.idempotent.name, isRisky: false },
    annotations.openWorldHint === true && { label: HINTS.openWorld.name, isRisky: false },
  ].filter((tag) => tag !== false);
  const inputSchema = written(tool.inputSchema);
  const isReadable = whole !== undefined && (inputSchema ?? '') !== UNREADABLE;
  return {
    title: text(tool.title) ?? text(annotations.title),
    description: text(tool.description) ?? '',
    tags,
    inputSchema: isReadable ? (inputSchema ?? NO_ARGUMENTS) : UNREADABLE,
    taskSupport:
      execution.taskSupport === 'optional' || execution.taskSupport === 'required'
        ? execution.taskSupport
        : undefined,
    problem: isReadable ? undefined : TOOL.tooDeep,
  };
}

function written(schema: ExactValue | undefined): string | undefined {
  if (!isExactObject(schema)) return undefined;
  try {
    return stringifyExact(schema);
  } catch {
    return UNREADABLE;
  }
}
