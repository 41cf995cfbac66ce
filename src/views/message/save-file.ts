/** Bytes as a file in the reader's download folder: nothing is sent anywhere. */
export function saveFile(name: string, bytes: Uint8Array): void {
  const address = URL.createObjectURL(new Blob([bytes.slice()], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has its bytes by the next task. The address would keep them in memory as long as the page is open.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
