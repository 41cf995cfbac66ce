/** Files that ship with the app: samples, and the schemas that belong to them. */
import type { SchemaFile } from '#worker/schema-api.ts';

/** A file of public/samples/, as its index.json lists it: opened like a user's own, with the schemas of the app. */
export interface CaptureSample {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Under public/samples/. */
  readonly file: string;
  readonly bytes: number;
}

/** A sample of protobuf payloads with a known type. */
export interface Sample extends CaptureSample {
  /** Paths under schemas/; the first one is shown. */
  readonly schemas: readonly string[];
  readonly type: string;
  readonly nativeProfile: string;
}

/** Loads the bundled samples and schemas. */
export interface Shipped {
  readonly sampleBytes: (file: string) => Promise<Blob>;
  readonly schemaFiles: (paths: readonly string[]) => Promise<readonly SchemaFile[]>;
  readonly findSample: (id: string) => Sample | undefined;
  readonly findCapture: (id: string) => CaptureSample | undefined;
  /** The path of the shipped file that an import names; undefined: none does. */
  readonly findSchema: (imported: string) => string | undefined;
  /** All paths under schemas/. Types of a capture's messages are searched in them. */
  readonly schemaPaths: readonly string[];
}
