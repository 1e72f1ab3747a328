declare module 'bidi-js' {
  export type EmbeddingLevels = { levels: Uint8Array; paragraphs: { start: number; end: number; level: number }[] }
  export type Bidi = {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl'): EmbeddingLevels
    /** Returns the ranges to reverse, in this order. Both ends are included. */
    getReorderSegments(text: string, levels: EmbeddingLevels): [start: number, end: number][]
    getMirroredCharacter(character: string): string | null
  }
  export default function bidiFactory(): Bidi
}
