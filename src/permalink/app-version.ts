/** The app's version, as figures that travel name it: that of package.json. */
export const APP_VERSION = '0.1.0';
