/** The part of subset-font that is used here; its published types are of an earlier version. */
declare module 'subset-font' {
  export type SubsetOptions = {
    targetFormat: 'woff2' | 'truetype'
    /** OpenType features to keep; all of them unless told. */
    keepFeatures?: readonly string[]
    /** What is kept of each axis of a variable font: a range, or the one value at which it is fixed. */
    variationAxes: Record<string, { min: number; max: number } | number>
  }
  /** What is left of a font when only the letters of `text` are to be set with it. */
  export default function subsetFont(font: Buffer, text: string, options: SubsetOptions): Promise<Buffer>
}
