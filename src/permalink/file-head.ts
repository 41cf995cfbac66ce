/** Whether a file with this beginning is a `.wirecost.json`; other JSON is not. */
export const isSharedFile = (head: string): boolean => /^\uFEFF?\s*\{\s*"wirecost"\s*:/.test(head);
