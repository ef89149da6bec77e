import { describe, expect, it } from 'vitest';
import { complete, completions } from './filter-completion';

const facts = {
  servers: ['files', 'My server'],
  projects: ['acme', 'new/api'],
  methods: ['ping'],
  tools: ['echo', 'schema_objects'],
};

function texts(text: string, caret = text.length): readonly string[] {
  return completions(text, caret, facts)?.items.map((item) => item.text) ?? [];
}

describe('the completion of a filter', () => {
  it('offers the terms that begin so', () => {
    expect(texts('s')).toEqual(['status:', 'server:', 'size:']);
    expect(texts('echo -lev')).toEqual(['-level:']);
    expect(texts('echo')).toEqual([]);
    expect(texts('')).toEqual([]);
  });

  it('offers the values of a term, the best first', () => {
    expect(texts('from:')).toEqual(['from:server', 'from:client']);
    expect(texts('level:err')).toEqual(['level:error']);
    expect(texts('tool:obj')).toEqual(['tool:schema_objects']);
    expect(texts('method:pi')).toEqual(['method:ping']);
    expect(texts('server:my')).toEqual(['server:"My server"']);
    expect(texts('project:')).toEqual(['project:acme', 'project:new/api']);
  });

  it('leaves alone what is complete, quoted, or not at its end', () => {
    expect(texts('method:tools/call')).toEqual([]);
    expect(texts('"sta')).toEqual([]);
    expect(texts('/sta')).toEqual([]);
    expect(texts('status', 3)).toEqual([]);
  });

  it('takes the place of the term, and leaves room for the next', () => {
    const found = completions('a lev b', 5, facts);
    expect(found).not.toBeNull();
    if (!found?.items[0]) return;
    expect(complete('a lev b', found, found.items[0])).toEqual({ text: 'a level:b', caret: 8 });
    const value = completions('level:err', 9, facts);
    if (!value?.items[0]) return;
    expect(complete('level:err', value, value.items[0])).toEqual({
      text: 'level:error ',
      caret: 12,
    });
  });
});
