/** How much of a file is made text of at a time, and how much of it once more with the next: longer than what is looked for. */
const WINDOW_BYTES = 64 * 1024
const OVERLAP_BYTES = 256

/** A file as text, one byte a character, in pieces that overlap, each with where it begins. */
export function* textOf(bytes: Buffer): Generator<{ start: number; text: string }> {
  for (let start = 0; start < bytes.length; start += WINDOW_BYTES) {
    yield { start, text: bytes.toString('latin1', start, start + WINDOW_BYTES + OVERLAP_BYTES) }
  }
}
