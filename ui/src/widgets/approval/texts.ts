/** All texts of approving servers of a project. */
import { formatQuantity } from '@/lib/format';

export const APPROVAL = {
  waiting: 'Needs approval',
  changed: 'Needs approval: changed since you approved it',
  comesFrom: (project: string) =>
    `This server comes from the files of ${project}. Check what it runs, then approve it.`,
  approve: 'Approve',
  approveAndConnect: 'Approve and connect',
  reviewAll: (count: number) => `Review all ${count}`,
  approved: (name: string, project: string) => `Approved ${name} for ${project}`,
  approvedTitle: 'Approved',
  approvedMeaning: (project: string) =>
    `This server comes from the project’s files. Its current entry is approved for ${project}; a changed entry needs approval again.`,
  revoke: 'Revoke approval',
  revoked: (name: string) => `${name} needs approval again`,
};

export const DETAILS = {
  definedIn: 'Defined in',
  entry: 'Entry in the file',
};

export const APPROVE_ALL = {
  title: (count: number) => `${formatQuantity(count, 'server needs', 'servers need')} approval`,
  comesFrom: (project: string) =>
    `These servers come from the files of ${project}. Approve them only if you trust everything below.`,
  approve: (count: number) => `Approve all ${count}`,
  approved: (count: number) => `Approved ${formatQuantity(count, 'server')} for this project`,
  changed: (names: readonly string[]) =>
    `Not approved, because the entry has changed: ${names.join(', ')}. Review again.`,
  changedSince: (name: string) => `${name} (changed since you approved it)`,
};

export const FOLDER = {
  trust: 'Trust this folder too',
  before: 'Programs of the project run in ',
  after:
    ', where packages, scripts and settings can change what they do. They do not start until you trust it.',
};
