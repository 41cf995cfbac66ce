/** A file's declaration → its descriptor. */
import type { FileDeclaration } from '../declaration.ts';
import type { FileDescriptor } from '../descriptor.ts';
import type { ImportGraph } from '../imports.ts';
import { plainWords } from '../options/raw-options.ts';
import { NO_OPTIONS } from './options.ts';

export class LinkedFile implements FileDescriptor {
  readonly path: string;
  readonly package: string;
  readonly syntax: FileDescriptor['syntax'];
  options: FileDescriptor['options'] = NO_OPTIONS;
  readonly plain: Readonly<Record<string, string>>;
  readonly #graph: ImportGraph;
  readonly #declared: FileDeclaration['imports'];

  constructor({ path, package: name, syntax, imports, options }: FileDeclaration, graph: ImportGraph) {
    this.path = path;
    this.package = name;
    this.syntax = syntax;
    this.plain = plainWords(options);
    this.#graph = graph;
    this.#declared = imports;
  }

  get imports(): FileDescriptor['imports'] {
    return this.#declared.map((declared) => {
      return { path: declared.path, kind: declared.kind, file: this.#graph.targetOf(declared)?.path };
    });
  }
}
