/** The segmenter, which is created on first use. Creating it is slow, and few texts need it. */
let segmenter: Intl.Segmenter | null = null

/** Returns a text as a list of its visible characters. A visible character may consist of several code points. */
export function graphemesOf(text: string): string[] {
  if (/^[ -~]*$/.test(text)) return Array.from(text)
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
