/** The frame of every chart: an svg of a size in pixels, with a title and a description for screen readers. */
import type { ReactElement, ReactNode } from 'react';

interface TitledSvgProps {
  readonly width: number;
  readonly height: number;
  readonly children?: ReactNode;
}

/**
 * Returns the element itself without a component around it, because a picture reads its width and height. The class
 * comes last, so that React and Preact print the same text.
 */
export const titledSvg = (
  {
    id,
    className,
    width,
    height,
    fontSize = 12,
    role = 'img',
    title,
    description,
  }: {
    /** Prefix of the ids within. */
    readonly id: string;
    readonly className?: string;
    readonly width: number;
    readonly height: number;
    readonly fontSize?: number;
    /** `group`: parts of it can be chosen. */
    readonly role?: 'img' | 'group';
    readonly title: string;
    readonly description: string;
  },
  children: ReactNode,
): ReactElement<TitledSvgProps> => (
  <svg
    xmlns="http://www.w3.org/2000/svg"
    viewBox={`0 0 ${width} ${height}`}
    width={width}
    height={height}
    role={role}
    aria-labelledby={`${id}-title ${id}-desc`}
    fontSize={fontSize}
    className={className}
  >
    <title id={`${id}-title`}>{title}</title>
    <desc id={`${id}-desc`}>{description}</desc>
    {children}
  </svg>
);
