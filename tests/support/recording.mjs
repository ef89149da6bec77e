/*
 * A program that writes how it was started to a file, and ends: its arguments, the file among them
 * the first, its environment and its working directory.
 */
import { writeFileSync } from 'node:fs';

const [file, ...args] = process.argv.slice(2);
writeFileSync(file, JSON.stringify({ args, env: process.env, cwd: process.cwd() }));
