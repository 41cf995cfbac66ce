/** Where files that ship with the tool are, in the checkout and in the package alike: both keep their paths relative to this folder. */
import { join } from 'node:path';

/** The folder of the checkout, or of the package. */
export const HOME = join(import.meta.dirname, '../..');
/** The built app. */
export const APP = join(HOME, 'dist');
/** Schemas of systems, and `native/options.proto`. */
export const SCHEMAS = join(HOME, 'schemas');
/** .proto files that other schemas import. */
export const IMPORTS = join(import.meta.dirname, '../imports');
/** The colours of figures. */
export const COLORS = join(import.meta.dirname, '../charts/colors.css');
