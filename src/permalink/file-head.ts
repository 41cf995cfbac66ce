/** Whether a file that begins so is a `.wirecost.json`; what else is JSON stays what it is. */
export const isSharedFile = (head: string): boolean => /^\uFEFF?\s*\{\s*"wirecost"\s*:/.test(head);
