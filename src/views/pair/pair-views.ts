/** What only a comparison of two inputs needs, in one piece. */
export { PairPicture } from './pair-picture.tsx';
export { PairTable } from './pair-table.tsx';
