/**
 * SourceCodeInfo → the comments of a file, by the path of the described element, `4.0.2.1`. It is most of a large set's
 * bytes, so it is read when the first comment is needed.
 */
import { cleanComment, joinComments } from '../text/comments.ts';
import { mutableList, NONE, type ProtoReader, readRecordsSafely, type Slots } from './proto-reader.ts';

/** The place of a declaration in its file, as the path of numbers in SourceCodeInfo: `4.0.2.1`. */
export interface SetPlace {
  readonly comments: SetComments;
  readonly path: string;
}

interface Location {
  path: ProtoReader | undefined;
  leading: string | undefined;
  trailing: string | undefined;
}

const LOCATION: Slots<Location> = {
  len: {
    1: (location, reader) => {
      location.path = reader.inner();
    },
    3: (location, reader) => {
      location.leading = reader.text();
    },
    4: (location, reader) => {
      location.trailing = reader.text();
    },
  },
};

const SOURCE_INFO: Slots<Map<string, string>> = {
  len: {
    1: (comments, reader) => {
      const location: Location = { path: undefined, leading: undefined, trailing: undefined };
      readRecordsSafely(reader.inner(), LOCATION, location);
      const text = joinComments(cleanComment(location.leading), cleanComment(location.trailing));
      const { path } = location;
      if (path === undefined || text === undefined) return;
      const steps: number[] = [];
      while (path.at < path.end) steps.push(path.uint());
      comments.set(steps.join('.'), text);
    },
  },
};

export class SetComments {
  #unread: ProtoReader[] = NONE;
  #comments: Map<string, string> | undefined;

  add(info: ProtoReader): void {
    this.#unread = mutableList(this.#unread);
    this.#unread.push(info);
  }

  at(path: string): string | undefined {
    if (this.#unread.length > 0) {
      this.#comments ??= new Map();
      for (const info of this.#unread) readRecordsSafely(info, SOURCE_INFO, this.#comments);
      this.#unread = NONE;
    }
    return this.#comments?.get(path);
  }

  get isEmpty(): boolean {
    return this.#unread.length === 0 && this.#comments === undefined;
  }
}
