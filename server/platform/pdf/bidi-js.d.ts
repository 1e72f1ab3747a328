declare module 'bidi-js' {
  export type EmbeddingLevels = { levels: Uint8Array; paragraphs: { start: number; end: number; level: number }[] }
  export type Bidi = {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl'): EmbeddingLevels
    /** Ranges, ends included, each of which is to be turned around, in this order. */
    getReorderSegments(text: string, levels: EmbeddingLevels): [start: number, end: number][]
    getMirroredCharacter(character: string): string | null
  }
  export default function bidiFactory(): Bidi
}
