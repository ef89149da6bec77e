/*
 * An MCP server of both eras over stdio with skills that a file gives, and with a tool for each
 * extension that the client declares. The file is JSON:
 *
 *   skills     the entries of skills/list and skills/get
 *   files      contents of resources/read by URI, and whole results where they have `result`
 *   directory  children of resources/directory/read by URI
 *   cursor     "same": each page of skills/list has the same next cursor; "endless": another one
 *   get        entries of skills/get that differ from those of the list, by URI
 *   declares   false: no skills; "bare": skills, and no resources
 *
 * Each request that it gets is a line in the file beside it, with the ending `.seen`.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [path] = process.argv.slice(2);
const script = JSON.parse(readFileSync(path, 'utf8'));
const extensions =
  script.declares === false ? {} : { 'io.modelcontextprotocol/skills': { directoryRead: !!script.directory } };
const capabilities = {
  tools: {},
  ...(script.declares === 'bare' ? {} : { resources: {} }),
  extensions: { ...extensions, 'com.example/tools': { depth: 2 } },
};
const fresh = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const tool = (name) => ({ name, inputSchema: { type: 'object' } });
let declared = {};
let pages = 0;

class Refused extends Error {}

function answer(method, params) {
  switch (method) {
    case 'server/discover':
      return {
        ...fresh,
        supportedVersions: ['2026-07-28'],
        capabilities,
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'extended', version: '1' } },
      };
    case 'initialize':
      declared = params.capabilities;
      return {
        protocolVersion: params.protocolVersion,
        capabilities,
        serverInfo: { name: 'extended', version: '1' },
      };
    case 'tools/list': {
      const now = params?._meta?.['io.modelcontextprotocol/clientCapabilities'] ?? declared;
      const names = [...Object.keys(now.extensions ?? {}), ...(now.tasks ? ['tasks'] : [])];
      return { ...fresh, tools: ['always', ...names].map((name) => tool(name.replace('/', '_'))) };
    }
    case 'resources/list':
      return { ...fresh, resources: [] };
    case 'resources/templates/list':
      return { ...fresh, resourceTemplates: [] };
    case 'skills/list': {
      pages += 1;
      const next = { same: 'again', endless: `page ${pages}` }[script.cursor];
      const skills = script.cursor === 'endless' ? [] : script.skills;
      return { ...fresh, skills, ...(next ? { nextCursor: next } : {}) };
    }
    case 'skills/get': {
      const skill = script.get?.[params.uri] ?? script.skills.find(({ uri }) => uri === params.uri);
      if (!skill) throw new Refused(`No skill is served at ${params.uri}`);
      return { ...fresh, skill };
    }
    case 'resources/read': {
      const content = script.files?.[params.uri];
      if (!content) throw new Refused(`No file at ${params.uri}`);
      return content.result ?? { ...fresh, contents: [{ uri: params.uri, ...content }] };
    }
    case 'resources/directory/read':
      return { ...fresh, resources: script.directory[params.uri] ?? [] };
    default:
      throw new Refused(`no ${method}`);
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  appendFileSync(`${path}.seen`, `${JSON.stringify({ method, uri: params?.uri })}\n`);
  let said;
  try {
    said = { result: answer(method, params) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    said = { error: { code: -32602, message: error.message } };
  }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n`);
});
