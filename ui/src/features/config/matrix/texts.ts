/** Texts of the matrix of servers and files. */

export const CANNOT_BE_READ = 'cannot be read, so its servers are missing here.';
export const NO_SERVER_LISTED = 'No server can be listed';
export const CORRECT_FIRST = 'Correct the file named above; it is read again when it is saved.';
export const NO_SERVER_DEFINED = 'No server is defined';
export const NONE_YET = 'None of these files defines one yet.';

export function openAtLine(line: number): string {
  return `Open at line ${line}`;
}
