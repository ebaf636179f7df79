import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

/** The entry points that people import from. */
const ENTRIES = [
  'livejoin-client',
  'livejoin-client/testing',
  'livejoin-angular',
  'livejoin-angular/ag-grid',
  'livejoin-angular/cdk',
  'livejoin-angular/testing',
];

const WEB = new URL('..', import.meta.url).pathname;

/**
 * Whatever changes what applications can import changes a file beside the packages, where a reviewer sees it. When that
 * is meant: `npx vitest run test/api-report.test.ts -u`.
 */
describe('what applications can import', () => {
  let program: ts.Program;

  beforeAll(() => {
    const { config } = ts.readConfigFile(`${WEB}tsconfig.json`, (path) => ts.sys.readFile(path)) as {
      config: object;
    };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, WEB);
    program = ts.createProgram({
      rootNames: ENTRIES.map(sourceOf),
      options: {
        ...options,
        declaration: true,
        emitDeclarationOnly: true,
        removeComments: true,
        noEmit: false,
      },
    });
  }, 60_000);

  // The first of them checks all types, which takes its time on a machine that does other things.
  it.each(ENTRIES)(
    'of %s is what the report says',
    async (entry) => {
      await expect(report(program, sourceOf(entry))).toMatchFileSnapshot(
        `../projects/${entry}/api-report.txt`,
      );
    },
    60_000,
  );
});

function sourceOf(entry: string): string {
  return `${WEB}projects/${entry}/src/index.ts`;
}

/** The declaration of every exported name, without comments and without what is private. */
function report(program: ts.Program, entry: string): string {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${entry} exports nothing`);
  const declared = checker.getExportsOfModule(module).map((exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    return { name: exported.name, text: declarationOf(program, symbol, entry) };
  });
  declared.sort((a, b) => (a.name < b.name ? -1 : 1));
  return `${declared.map(({ text }) => text).join('\n\n')}\n`;
}

function declarationOf(program: ts.Program, symbol: ts.Symbol, entry: string): string {
  const [place] = symbol.declarations ?? [];
  if (place === undefined) throw new Error(`${symbol.name} is declared nowhere`);
  const { fileName } = place.getSourceFile();
  const owner = ENTRIES.find((each) => fileName.startsWith(sourceOf(each).replace('index.ts', '')));
  if (owner !== undefined && sourceOf(owner) !== entry) return `export { ${symbol.name} } from '${owner}';`;
  const emitted = emittedOf(program, place.getSourceFile());
  const statements = emitted.statements.filter((statement) => namesOf(statement).includes(symbol.name));
  return statements.map((statement) => withoutPrivates(statement.getText(emitted))).join('\n');
}

const emittedFiles = new Map<ts.SourceFile, ts.SourceFile>();

function emittedOf(program: ts.Program, source: ts.SourceFile): ts.SourceFile {
  const known = emittedFiles.get(source);
  if (known !== undefined) return known;
  let text = '';
  program.emit(source, (_, content) => (text = content), undefined, true);
  const emitted = ts.createSourceFile('emitted.d.ts', text, ts.ScriptTarget.ES2022, true);
  emittedFiles.set(source, emitted);
  return emitted;
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? [] : [name.getText()];
}

function withoutPrivates(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^ +(#private;|private |static ɵ)/.test(line))
    .join('\n');
}
