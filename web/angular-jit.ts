import { angularJitApplicationTransform } from '@angular/compiler-cli';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import type { Plugin } from 'vitest/config';

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Preserve,
  experimentalDecorators: true,
  verbatimModuleSyntax: true,
  inlineSourceMap: true,
  inlineSources: true,
  // One file says enough: what it imports is neither needed nor read, which is why this takes milliseconds.
  noResolve: true,
  noLib: true,
};

/**
 * Lets tests draw components from their sources. Without it, the compiler in the browser would not know of inputs and
 * queries that are signals, nor find a template in a file of its own.
 */
export function angularJit(): Plugin {
  return {
    name: 'angular-jit',
    enforce: 'pre',
    transform(code, id) {
      return id.endsWith('.ts') && /^@(Component|Directive|Injectable)\(/m.test(code) ? compiled(id) : null;
    },
  };
}

function compiled(path: string): string {
  const program = ts.createProgram([path], OPTIONS);
  let result = '';
  program.emit(
    program.getSourceFile(path),
    (_, text) => {
      result = text;
    },
    undefined,
    false,
    { before: [angularJitApplicationTransform(program)] },
  );
  return withTemplate(result, path);
}

function withTemplate(code: string, path: string): string {
  return code
    .replace(/templateUrl: '(.*?)'/, (_, file: string) => {
      const template = readFileSync(new URL(file, `file://${path}`), 'utf-8');
      return `template: ${JSON.stringify(template)}`;
    })
    .replace(/styleUrl: '.*?',?/, '');
}
