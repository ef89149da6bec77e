import { create } from 'zustand';
import type { Backend } from '@/backend/backend';
import type { ServerId, ServerView, SkillListView, SkillReport } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { isLive } from '@/state/servers/phases';

/** The skills of one server, as they were listed over one connection. */
export interface SkillList {
  /** The connection that they were listed over. */
  connection: string | null;
  view: SkillListView | null;
  /** The reason why they could not be listed. */
  problem: string | null;
  isLoading: boolean;
}

/** A view of a skill. */
export type SkillPart = 'summary' | 'files' | 'frontmatter';

interface SkillsState {
  lists: Readonly<Record<ServerId, SkillList>>;
  /** URI of the selected skill. */
  selected: Readonly<Record<ServerId, string>>;
  /** Reports of the skills that were verified over the connection, by URI. */
  reports: Readonly<Record<ServerId, Readonly<Record<string, SkillReport>>>>;
  /** View of the skills of each server. */
  parts: Readonly<Record<ServerId, SkillPart>>;
  /** URI of the file that is open in each skill, by `skillKey`. */
  files: Readonly<Record<string, string>>;
  setList(server: ServerId, list: SkillList): void;
  select(server: ServerId, uri: string): void;
  setReport(server: ServerId, report: SkillReport): void;
  showPart(server: ServerId, part: SkillPart): void;
  openFile(server: ServerId, skill: string, file: string): void;
}

const skillKey = (server: ServerId, skill: string) => `${server}\n${skill}`;

/** URI of the file that is open in a skill. */
export function useOpenFile(server: ServerId, skill: string): string | null {
  return useSkills((state) => state.files[skillKey(server, skill)] ?? null);
}

export const useSkills = create<SkillsState>((set) => ({
  lists: {},
  selected: {},
  reports: {},
  parts: {},
  files: {},
  setList: (server, list) =>
    set(({ lists, reports }) => ({
      lists: { ...lists, [server]: list },
      // What was verified before may be another content by now.
      reports: list.isLoading ? { ...reports, [server]: {} } : reports,
    })),
  select: (server, uri) => set(({ selected }) => ({ selected: { ...selected, [server]: uri } })),
  showPart: (server, part) => set(({ parts }) => ({ parts: { ...parts, [server]: part } })),
  openFile: (server, skill, file) =>
    set(({ files }) => ({ files: { ...files, [skillKey(server, skill)]: file } })),
  setReport: (server, report) =>
    set(({ reports }) => ({
      reports: { ...reports, [server]: { ...reports[server], [report.uri]: report } },
    })),
}));

/** Name of the requests of the list. */
const LIST_KEY = 'skills';

/** Lists the skills of a server anew. */
export async function loadSkills(backend: Backend, server: ServerView): Promise<void> {
  const { setList } = useSkills.getState();
  const connection = connectionOf(server);
  const loading = { connection, view: null, problem: null, isLoading: true };
  setList(server.id, loading);
  try {
    const view = await backend.listSkills(server.id, LIST_KEY);
    setList(server.id, { ...loading, view, isLoading: false });
  } catch (reason) {
    const { message } = asCommandError(reason);
    setList(server.id, { ...loading, problem: message, isLoading: false });
  }
}

/** The connection of a server, as text. */
export function connectionOf(server: ServerView): string | null {
  return server.status.connection === null ? null : String(server.status.connection);
}

/** State of a server with respect to skills. */
export type SkillSupport = 'not-connected' | 'other-era' | 'none' | 'declared';

/** Tells whether a server can be asked for skills. */
export function skillSupport({ status }: ServerView): SkillSupport {
  if (!status.handshake || !isLive(status.phase)) return 'not-connected';
  if (!status.handshake.features.skills) return 'none';
  return status.handshake.era === 'modern' ? 'declared' : 'other-era';
}
