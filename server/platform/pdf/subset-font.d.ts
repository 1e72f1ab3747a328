/** The part of subset-font that is used here. Its published types are from an earlier version. */
declare module 'subset-font' {
  export type SubsetOptions = {
    targetFormat: 'woff2' | 'truetype'
    /** The OpenType features to keep; all by default. */
    keepFeatures?: readonly string[]
    /** The kept part of each axis of a variable font: a range, or one fixed value. */
    variationAxes: Record<string, { min: number; max: number } | number>
  }
  /** Returns the font reduced to the letters of `text`. */
  export default function subsetFont(font: Buffer, text: string, options: SubsetOptions): Promise<Buffer>
}
