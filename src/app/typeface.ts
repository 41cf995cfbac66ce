/**
 * Inter, which has figures of one width. Latin alone; other letters come from the system's typeface. It is added once
 * it is loaded: a style sheet would lay the page out a second time, when it names the typeface.
 */
import file from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';

const LATIN =
  'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD';

export async function addTypeface(): Promise<void> {
  const face = new FontFace('Inter Variable', `url("${file}") format("woff2-variations")`, {
    weight: '100 900',
    unicodeRange: LATIN,
  });
  document.fonts.add(await face.load());
}
