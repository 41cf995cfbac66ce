/** The app's version in shared figures: that of package.json. */
export const APP_VERSION = '0.1.0';
