/** Whether the app is served by the machine of the user, so that its address leads no other person to it. */
export const isOnThisMachine = (host: string = location.hostname): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
