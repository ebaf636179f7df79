import { angularJitApplicationTransform } from '@angular/compiler-cli';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
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
 * Lets tests draw components from their sources, with the compiler's own transformation for the compiler in the browser,
 * which would not know of inputs and queries that are signals otherwise, nor find a template in a file of its own.
 * docs/decisions/0012 tells why no other tool does it.
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
    { before: [withResources(dirname(path)), angularJitApplicationTransform(program)] },
  );
  return result;
}

/** Puts templates in the place of their files' names; styles are left out, because nothing is laid out in these tests. */
function withResources(folder: string): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (source) => {
    const { factory } = context;
    const metadata = (given: ts.ObjectLiteralExpression): ts.ObjectLiteralExpression => {
      const members = given.properties.flatMap((member) => {
        if (!ts.isPropertyAssignment(member) || !ts.isIdentifier(member.name)) return [member];
        if (member.name.text === 'styleUrl') return [];
        if (member.name.text !== 'templateUrl' || !ts.isStringLiteralLike(member.initializer))
          return [member];
        const template = readFileSync(resolve(folder, member.initializer.text), 'utf-8');
        return [factory.createPropertyAssignment('template', factory.createStringLiteral(template))];
      });
      return factory.updateObjectLiteralExpression(given, members);
    };
    const visit = (node: ts.Node): ts.Node => {
      if (!ts.isDecorator(node) || !ts.isCallExpression(node.expression)) {
        return ts.visitEachChild(node, visit, context);
      }
      const { expression: called, arguments: given } = node.expression;
      const args = given.map((each) => (ts.isObjectLiteralExpression(each) ? metadata(each) : each));
      return factory.updateDecorator(
        node,
        factory.updateCallExpression(node.expression, called, undefined, args),
      );
    };
    return ts.visitNode(source, visit, ts.isSourceFile);
  };
}
