/** Fixed sentences of the share dialog. */
export const SHARE_NOTES = {
  noClipboard: 'The browser does not let this page copy.',
  profiler: 'Save for Firefox Profiler',
  noPng: 'The browser made no PNG of the picture.',
  staysInLink: 'No data is sent anywhere: your choice is written into the link itself, after the #.',
  address: 'Address of the input',
  siteBlocked: 'This site may not read from',
  alsoIn:
    'The link also has the type, the native profile and changed writers, the selection, the coverage of a capture, today’s date.',
  withBytes: 'With the bytes of the two hex views',
  tooLarge: 'Too large for any link. Save the file instead.',
} as const;
