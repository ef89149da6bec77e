import { describe, expect, it } from 'vitest';
import {
  emptyReply,
  isEmptyReply,
  offeredTools,
  type Reply,
  readReply,
  repeatableReply,
  replyText,
  toolUse,
  withBlocks,
} from './reply';

const WEATHER = {
  name: 'get_weather',
  description: '',
  schema: '{"type":"object","properties":{"unit":{"type":"string","default":"celsius"}}}',
};

function reply(): Reply {
  const read = readReply(emptyReply());
  if (!read) throw new Error('a form holds it');
  return read;
}

describe('a reply', () => {
  it('is empty until something is put into it', () => {
    expect(isEmptyReply(reply())).toBe(true);
    const of = (blocks: Reply['blocks']) => isEmptyReply({ ...reply(), blocks });
    expect(of([])).toBe(true);
    expect(of([{ type: 'text', text: ' \n' }])).toBe(true);
    expect(of([{ type: 'text', text: 'a' }])).toBe(false);
    expect(of([{ type: 'image', mimeType: 'image/png', data: 'AAAA' }])).toBe(false);
  });

  it('is one block by itself, or several in a list', () => {
    expect(JSON.parse(emptyReply()).content).toEqual({ type: 'text', text: '' });
    const two = withBlocks(reply(), [
      { type: 'text', text: 'a' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    ]);
    expect(JSON.parse(replyText(two)).content).toHaveLength(2);
    expect(readReply(replyText(two))).toEqual(two);
  });

  it('stops for a tool as long as it uses one', () => {
    const start = reply();
    const uses = withBlocks(start, [...start.blocks, toolUse(WEATHER, start)]);
    expect(uses.stopReason).toBe('toolUse');
    expect(uses.blocks[1]).toEqual({
      type: 'tool_use',
      id: 'call_1',
      name: 'get_weather',
      input: '{\n  "unit": "celsius"\n}',
    });
    expect(toolUse(WEATHER, uses)).toMatchObject({ id: 'call_2' });
    expect(withBlocks(uses, start.blocks).stopReason).toBe('endTurn');
  });

  it('keeps the numbers of arguments as they are written', () => {
    const input = '{"n":12345678901234567890}';
    const text = replyText({
      ...reply(),
      blocks: [{ type: 'tool_use', id: '1', name: 'add', input }],
    });
    expect(text).toContain('12345678901234567890');
    expect(readReply(text)?.blocks[0]).toMatchObject({
      input: '{\n  "n": 12345678901234567890\n}',
    });
  });

  it('stays JSON where a form would lose something', () => {
    for (const text of [
      '{',
      '[]',
      '{"role":"user","content":[],"model":"m","stopReason":"endTurn"}',
      '{"role":"assistant","content":[],"model":"m","stopReason":"endTurn","_meta":{}}',
      '{"role":"assistant","content":{"type":"video"},"model":"m","stopReason":"endTurn"}',
      '{"role":"assistant","content":{"type":"text","text":"","x":1},"model":"m","stopReason":""}',
    ]) {
      expect(readReply(text), text).toBeNull();
    }
  });
});

it('is repeated by a rule where it is one text, with a model that the user named', () => {
  const text = { type: 'text', text: 'Dear server' } as const;
  const reply: Reply = { blocks: [text], model: 'answered by a person', stopReason: 'endTurn' };
  const repeated = (change: Partial<Reply>) => repeatableReply(replyText({ ...reply, ...change }));
  expect(repeated({})).toBe('{"text":"Dear server"}');
  expect(repeated({ model: 'm' })).toBe('{"text":"Dear server","model":"m"}');
  expect(repeatableReply(emptyReply())).toBeUndefined();
  expect(repeated({ blocks: [text, text] })).toBeUndefined();
  expect(repeated({ stopReason: 'maxTokens' })).toBeUndefined();
  expect(repeatableReply('{')).toBeUndefined();
});

it('reads the tools that a request offers, whatever else is in the list', () => {
  const params = '{"tools":[{"name":"add","inputSchema":{"type":"object","maximum":1.50}},7,{}]}';
  expect(offeredTools(params)).toEqual([
    { name: 'add', description: '', schema: '{\n  "type": "object",\n  "maximum": 1.50\n}' },
    { name: '', description: '', schema: '{"type":"object"}' },
  ]);
  expect(offeredTools('nonsense')).toEqual([]);
});
