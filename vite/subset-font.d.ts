/** The part of subset-font that the build uses; its published types are of an earlier version. */
declare module 'subset-font' {
  export type SubsetOptions = {
    targetFormat: 'woff2'
    /** OpenType features to keep; all of them unless told. */
    keepFeatures?: readonly string[]
    variationAxes: Record<string, { min: number; max: number }>
  }
  /** What is left of a font when only the letters of `text` are to be set with it. */
  export default function subsetFont(font: Buffer, text: string, options: SubsetOptions): Promise<Buffer>
}
