import {
  createCompilerHost,
  formatDiagnostics,
  performCompilation,
  readConfiguration,
} from '@angular/compiler-cli';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';

const WEB = new URL('..', import.meta.url).pathname;
const BLOCK = /^```ts\n(.*?)^```$/gms;

/** The programs of a README, each as a file that is nowhere but here. */
function programsOf(name: string): [path: string, text: string][] {
  const readme = readFileSync(`${WEB}projects/${name}/README.md`, 'utf8');
  return [...readme.matchAll(BLOCK)].map(([, text = ''], place) => [
    `${WEB}src/${name}-${String(place)}.ts`,
    text,
  ]);
}

it.each(['livejoin-client', 'livejoin-angular'])(
  'every program in the README of %s is one, with its templates',
  (name) => {
    const programs = new Map(programsOf(name));
    expect(programs.size).toBeGreaterThan(0);
    const { options } = readConfiguration(`${WEB}tsconfig.json`);
    const host = createCompilerHost({ options });
    const real = { ...host };
    host.fileExists = (path) => programs.has(path) || real.fileExists(path);
    host.readFile = (path) => programs.get(path) ?? real.readFile(path);
    host.getSourceFile = (path, target, ...rest) => {
      const text = programs.get(path);
      return text === undefined
        ? real.getSourceFile(path, target, ...rest)
        : ts.createSourceFile(path, text, target);
    };
    const { diagnostics } = performCompilation({
      rootNames: [...programs.keys()],
      options: { ...options, noEmit: true },
      host,
    });
    expect(formatDiagnostics(diagnostics)).toBe('');
  },
  120_000,
);
