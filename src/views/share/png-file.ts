/** The text of a picture → a PNG, twice as large for sharp screens. No data is fetched: the picture is complete. */
import { SHARE_NOTES } from '#wording/share-notes.ts';

const SCALE = 2;

export async function drawPng(svg: string): Promise<Uint8Array> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob === null) throw new Error(SHARE_NOTES.noPng);
  return new Uint8Array(await blob.arrayBuffer());
}
