import { useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ItemKind, NameCandidate, NamingScheme, ServerId } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Problem } from '@/components/Problem';
import { Section } from '@/components/Section';
import { TextField } from '@/components/TextField';
import { NAMING_SCHEMES } from '@/state/clients/in-clients';
import { type Tab, useNavigation } from '@/state/navigation';
import { useAnswer } from '@/widgets/use-answer';
import { cellText } from '../cells';
import styles from '../clients.module.css';
import { StatusMark } from '../StatusMark';
import type { ClientScope } from '../scope';
import { BASES, KINDS, NAMES } from '../texts';
import { likeliest } from './likeliest';

/** Milliseconds for which typing has to rest. */
const TYPING_DELAY = 150;

const TABS: Record<ItemKind, Tab> = { tool: 'tools', prompt: 'prompts', resource: 'resources' };

/** Schemes by which a name is read: that of the client first. */
const SCHEMES: Record<NamingScheme, string> = {
  claudeCode: 'Claude Code',
  codex: 'Codex',
  opencode: 'OpenCode',
  geminiCli: 'Gemini CLI',
  vscode: 'VS Code',
  caliban: 'caliban',
  chimera: 'Chimera',
};

/** A name out of a log → the server and the item that it means. */
export function FindName({ scope }: { scope: ClientScope }) {
  const backend = useBackend();
  const [name, setName] = useState('');
  const { client, servers, revision } = scope;
  const wanted = name.trim();
  const { value, problem } = useAnswer(
    wanted === ''
      ? null
      : () =>
          backend.resolveModelName(
            schemesFrom(client.scheme),
            servers.map(({ id }) => id),
            wanted,
          ),
    [backend, client.scheme, wanted, revision],
    TYPING_DELAY,
  );
  const candidates = useMemo(() => likeliest(value ?? [], client.scheme), [value, client.scheme]);
  const idOf = (server: string) => servers.find((known) => known.name === server)?.id;
  return (
    <Section title={NAMES.find}>
      <TextField
        label={NAMES.findLabel}
        hideLabel
        mono
        placeholder="mcp__server__tool"
        value={name}
        onChange={setName}
      />
      <Problem text={problem} />
      {wanted === '' && <p className="remark">{NAMES.findHint}</p>}
      {wanted !== '' && value && candidates.length === 0 && (
        <p className="remark" role="status">
          {NAMES.notFound}
        </p>
      )}
      {wanted !== '' && candidates.length > 0 && (
        <ul className={styles.lines} aria-label={NAMES.candidates}>
          {candidates.map((candidate) => (
            <Candidate
              key={`${candidate.scheme} ${candidate.kind} ${candidate.server} ${candidate.item}`}
              candidate={candidate}
              server={idOf(candidate.server)}
            />
          ))}
        </ul>
      )}
    </Section>
  );
}

interface CandidateProps {
  candidate: NameCandidate;
  server: ServerId | undefined;
}

function Candidate({ candidate, server }: CandidateProps) {
  const { kind, item, basis, scheme } = candidate;
  const open = useNavigation((state) => state.open);
  return (
    <li className="row justify-between gap-4 min-w-0">
      <div className="stack min-w-0 break-anywhere">
        <span>
          {KINDS[kind]} <b className="mono">{cellText(item)}</b>
        </span>
        <span className="remark">{NAMES.place(cellText(candidate.server), SCHEMES[scheme])}</span>
        <StatusMark status={BASES[basis]} />
      </div>
      {server !== undefined && basis === 'listed' && (
        <Button onPress={() => open({ server, tab: TABS[kind], item })}>{NAMES.openItem}</Button>
      )}
    </li>
  );
}

function schemesFrom(first: NamingScheme): NamingScheme[] {
  return [first, ...NAMING_SCHEMES.filter((scheme) => scheme !== first)];
}
