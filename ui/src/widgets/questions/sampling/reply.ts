import { type ExactValue, isExactObject, readExact, stringifyExact } from '@/lib/json/exact';
import { initialText } from '@/lib/schema/initial';

/** A block of a reply (MCP specification, Sampling: message content). */
export type ReplyBlock =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; mimeType: string; data: string }
  /** `input`: the arguments as JSON, with their numbers as they are written. */
  | { type: 'tool_use'; id: string; name: string; input: string };

/** The reply to a sampling request (`CreateMessageResult`), as a form holds it. */
export interface Reply {
  blocks: readonly ReplyBlock[];
  model: string;
  stopReason: string;
}

/** A tool that a sampling request offers. */
export interface OfferedTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments, as JSON. */
  schema: string;
}

export const STOP_REASONS = ['endTurn', 'stopSequence', 'maxTokens', 'toolUse'] as const;

/** Bytes of a picture or a sound that is put into a reply. */
export const MAX_MEDIA_SIZE = 8 * 1024 * 1024;

const ANYTHING = '{"type":"object"}';

/** The model that a reply names at first. */
const BY_PERSON = 'answered by a person';

export function emptyReply(): string {
  return replyText({
    blocks: [{ type: 'text', text: '' }],
    model: BY_PERSON,
    stopReason: 'endTurn',
  });
}

/** Tells whether nothing was put into a reply. */
export function isEmptyReply({ blocks }: Reply): boolean {
  return blocks.every((block) => block.type === 'text' && block.text.trim() === '');
}

/** The text and the model of a reply that a rule can repeat, as JSON; undefined for any other. */
export function repeatableReply(draft: string): string | undefined {
  const reply = readReply(draft);
  if (reply === null || isEmptyReply(reply) || reply.stopReason !== 'endTurn') return undefined;
  const [block, ...others] = reply.blocks;
  if (block?.type !== 'text' || others.length > 0) return undefined;
  const { text } = block;
  // A rule is no person, and says so.
  return JSON.stringify(reply.model === BY_PERSON ? { text } : { text, model: reply.model });
}

/** The tools that a request offers; its parameters as JSON. */
export function offeredTools(params: string): OfferedTool[] {
  const whole = readExact(params);
  const tools = isExactObject(whole) && Array.isArray(whole.tools) ? whole.tools : [];
  return tools.filter(isExactObject).map((tool) => ({
    name: textOf(tool.name),
    description: textOf(tool.description),
    schema: tool.inputSchema === undefined ? ANYTHING : stringifyExact(tool.inputSchema),
  }));
}

/** The reply as JSON. One block stands by itself, as revisions before 2025-11-25 have it. */
export function replyText({ blocks, model, stopReason }: Reply): string {
  const texts = blocks.map(blockText);
  const content = texts.length === 1 ? texts[0] : `[${texts.join(',')}]`;
  const [by, reason] = [JSON.stringify(model), JSON.stringify(stopReason)];
  return `{"role":"assistant","content":${content},"model":${by},"stopReason":${reason}}`;
}

function blockText(block: ReplyBlock): string {
  if (block.type !== 'tool_use') return JSON.stringify(block);
  const { id, name, input } = block;
  const [which, tool] = [JSON.stringify(id), JSON.stringify(name)];
  return `{"type":"tool_use","id":${which},"name":${tool},"input":${input}}`;
}

/** Reads a reply that a form can hold; null for any other text. */
export function readReply(text: string): Reply | null {
  const whole = readExact(text);
  if (!isExactObject(whole) || whole.role !== 'assistant') return null;
  const known = new Set(['role', 'content', 'model', 'stopReason']);
  if (Object.keys(whole).some((key) => !known.has(key))) return null;
  if (typeof whole.model !== 'string' || typeof whole.stopReason !== 'string') return null;
  const content = Array.isArray(whole.content) ? whole.content : [whole.content];
  const blocks = content.map(readBlock);
  if (!blocks.every((block) => block !== null)) return null;
  return { blocks, model: whole.model, stopReason: whole.stopReason };
}

function readBlock(block: ExactValue | undefined): ReplyBlock | null {
  if (!isExactObject(block)) return null;
  const { type, text, mimeType, data, id, name, input } = block;
  const members = Object.keys(block).length;
  switch (type) {
    case 'text':
      return typeof text === 'string' && members === 2 ? { type, text } : null;
    case 'image':
    case 'audio':
      return typeof mimeType === 'string' && typeof data === 'string' && members === 3
        ? { type, mimeType, data }
        : null;
    case 'tool_use':
      return typeof id === 'string' && typeof name === 'string' && isExactObject(input)
        ? { type, id, name, input: stringifyExact(input) }
        : null;
    default:
      return null;
  }
}

/** A reply with other blocks. Whether it stops for a tool follows from them. */
export function withBlocks(reply: Reply, blocks: readonly ReplyBlock[]): Reply {
  const [used, uses] = [reply.blocks.some(isUse), blocks.some(isUse)];
  const stopReason = used === uses ? reply.stopReason : uses ? 'toolUse' : 'endTurn';
  return { ...reply, blocks, stopReason };
}

function isUse({ type }: ReplyBlock): boolean {
  return type === 'tool_use';
}

/** A use of a tool, with the arguments that its schema begins with. */
export function toolUse(tool: OfferedTool, reply: Reply): ReplyBlock {
  const ids = new Set(reply.blocks.map((block) => (block.type === 'tool_use' ? block.id : '')));
  let number = 1;
  while (ids.has(`call_${number}`)) number += 1;
  return {
    type: 'tool_use',
    id: `call_${number}`,
    name: tool.name,
    input: initialText(tool.schema),
  };
}

function textOf(value: ExactValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
