/*
 * A program that writes how it was started to the file that its first argument names, and ends: the
 * further arguments, its environment and its working directory.
 */
import { writeFileSync } from 'node:fs';

const [file, ...args] = process.argv.slice(2);
writeFileSync(file, JSON.stringify({ args, env: process.env, cwd: process.cwd() }));
