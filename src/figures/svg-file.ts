/**
 * A picture → the text of an SVG file. It contains colours and fonts, and keeps text as text. Page and Node give the
 * same file.
 */
import { renderToStaticMarkup } from 'react-dom/server';
import { type Svg, toSvg } from '#wording/escape.ts';
import { type Colors, inColors } from './colors.ts';
import { Picture, type PictureProps } from './picture.tsx';

export const printSvg = (picture: PictureProps, colors: Colors): Svg =>
  toSvg(`<?xml version="1.0" encoding="UTF-8"?>\n${inColors(renderToStaticMarkup(Picture(picture)), colors)}\n`);
