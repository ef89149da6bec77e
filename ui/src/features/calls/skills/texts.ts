import type { Verdict } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { formatCount } from '@/lib/format';
import { VERDICTS } from '@/widgets/findings/texts';

const count = (number: number, one: string, many: string) =>
  number === 1 ? `1 ${one}` : `${formatCount(number)} ${many}`;

export const SKILLS = {
  list: 'Skills',
  files: 'Files of the skill',
  notConnected: 'Connect to see skills',
  notConnectedHint:
    'Skills are folders of instructions that a server offers to a model. They are listed once the server is connected.',
  otherEra: 'Skills need the newer protocol',
  otherEraHint:
    'This server declares skills, but speaks a protocol older than 2026-07-28, which they are part of.',
  none: 'This server declares no skills',
  noneHint: 'A server that offers skills declares the extension io.modelcontextprotocol/skills.',
  loading: 'Listing skills…',
  failed: 'The skills could not be listed',
  again: 'List again',
  empty: 'The server lists no skills',
  emptyHint: 'It may still serve some by their URI: a list need not be whole.',
  filter: 'Filter skills',
  noMatch: 'No skill matches',
  more: (left: number) => `${formatCount(left)} more; narrow the filter to see them.`,
  leftOut: (left: number) => `${formatCount(left)} more were listed and not taken.`,
  always: (skills: number, tokens: number) =>
    `${count(skills, 'skill', 'skills')} · a model always sees ≈${formatCount(tokens)} tokens of them`,
  choose: 'Choose a skill',
  fileCount: (files: number | null) => (files === null ? 'dynamic' : count(files, 'file', 'files')),
  listFindings: (findings: number) => `${count(findings, 'finding', 'findings')} about the list`,
  errors: (errors: number) => count(errors, 'error', 'errors'),
} as const;

export const SKILL = {
  verify: 'Verify all files',
  verifying: 'Verifying…',
  stop: 'Stop',
  parts: 'Parts of the skill',
  summary: 'Summary',
  files: (files: number) => (files === 0 ? 'Files' : `Files ${formatCount(files)}`),
  frontmatter: 'Frontmatter',
  notVerified: 'Not verified yet. Its files are read only when you ask for it.',
  load: 'What a client would load',
  findings: 'Findings',
  noFindings: 'Nothing is wrong with the entry.',
  noFindingsAtAll: 'Nothing is wrong with the entry and the files.',
  levels: [
    ['1. Always', 'Name and description'],
    ['2. When a model chooses it', 'SKILL.md after its frontmatter'],
    ['3. When they are needed', 'The other files, each when it is read'],
  ],
  tokens: (tokens: number) => `≈${formatCount(tokens)} tokens`,
  unknownTokens: 'known once its files are read',
  ofFiles: (files: number, size: string) => `${count(files, 'file', 'files')}, ${size}`,
  noOtherFiles: 'no other files',
  toolsIgnored:
    'A client reads no file ahead of need, and ignores allowed-tools until the user approves it.',
  digests: 'Digests come from the server itself: equal means consistent, not trustworthy.',
  field: 'Field',
  declared: 'In the entry',
  found: 'In SKILL.md',
  comparison: 'Result',
  absent: 'absent',
  differs: 'differs',
  equal: 'equal',
  asListed: 'As listed. Verify the skill to compare it with SKILL.md.',
  chooseFile: 'Choose a file',
  chooseFileHint: 'It is read then, and held against the entry.',
  notListed: 'Its files are not listed',
  dynamicFiles: (readsDirectories: boolean) =>
    readsDirectories
      ? 'The server publishes no list of files. Verifying reads SKILL.md and the files in its directory.'
      : 'The server publishes no list of files. Verifying reads SKILL.md alone.',
  reading: 'Reading…',
  unlisted: 'not listed',
  notRead: 'not read',
  leftOut: (left: number) => `${formatCount(left)} more files are not shown.`,
} as const;

/** Returns the verdict of verifying a skill. */
export function verification(verdict: Verdict): StatusLabel {
  switch (verdict) {
    case 'failed':
      return { ...VERDICTS.failed, label: 'Failed: a client must not load it' };
    case 'skipped':
      return { glyph: '?', tone: 'warn', label: 'Cannot be verified' };
    default:
      return { ...VERDICTS.passed, label: 'Verified' };
  }
}

/** Returns the verdict on one file, in a word. */
export function fileVerification(verdict: Verdict): StatusLabel {
  const others = verdict === 'skipped' ? 'unverifiable' : 'verified';
  return { ...verification(verdict), label: verdict === 'failed' ? 'failed' : others };
}
