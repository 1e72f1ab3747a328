/** Splits what a model writes into sentences, each as soon as it is whole. */
export function openSentences(language: string) {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })
  let rest = ''
  return {
    /** The sentences that are whole with this. */
    add(text: string): string[] {
      rest += text
      const segments = [...segmenter.segment(rest)].map(({ segment }) => segment)
      rest = segments.pop() ?? ''
      return segments
    },
    /** What is left at the end, once. */
    take(): string {
      const left = rest
      rest = ''
      return left
    },
  }
}

/**
 * A sentence without the marks of Markdown, which is shown as it stands, and without what is not seen: marks that turn the direction of
 * letters around would show $12.34, which a tool has answered, as $43.21. A minus is the one that the bank's amounts have.
 */
export const plainSentence = (text: string): string =>
  text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\*\*|__/g, '')
    .replaceAll(/\u2212(?=\s?[$\d])/g, '-')
    .replaceAll(/^\s*(?:[-*•#>]+|\d{1,2}[.)])\s+/gm, '')
    .replaceAll(/\s*\n\s*/g, '\n')
