/** Takes a while to make, and few texts need it. */
let segmenter: Intl.Segmenter | null = null

/** A text in what a person takes for its letters, each of however many code points. */
export function graphemesOf(text: string): string[] {
  if (/^[ -~]*$/.test(text)) return Array.from(text)
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
