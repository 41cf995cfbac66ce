/**
 * The work that a progress bar shows, and that the title of a failure names. Constants, not an object: the page loads them
 * first, and their names then take no bytes.
 */
export const FETCHING_SAMPLE = 'Fetching the sample';
export const FETCHING_SCHEMAS = 'Fetching the schemas';
export const UNPACKING_ARCHIVE = 'Unpacking the archive';
export const READING_SCHEMA = 'Reading the schema';
export const READING_SCHEMAS = 'Reading the schemas';
export const READING_SECOND_VERSION = 'Reading the second version';
export const EXPLORING = 'Looking into the schema';
export const READING_INPUT = 'Reading the input';
export const COMPARING_TYPES = 'Comparing types';
export const LOOKING_UP_TYPES = 'Looking up types';
export const ADDING_UP = 'Adding up the bytes';
export const LISTING = 'Listing the messages';
export const SEARCHING = 'Searching the messages';
export const CHOOSING = 'Choosing messages';
export const DRAWING_TIMELINE = 'Drawing the timeline';
export const MEASURING_CHANGES = 'Measuring changes';
export const APPLYING_CHANGES = 'Applying the changes';
export const WRITING_MESSAGE = 'Writing the message';
export const LOOKING_FOR_WAY = 'Looking for a way';

export const fetchingFrom = (address: string): string => `Fetching ${address}`;
export const readingMessage = (ordinal: number): string => `Reading message ${ordinal}`;

export const failedTitle = (work: string): string => `${work} failed`;
