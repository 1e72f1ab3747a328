import { html, raw } from 'hono/html'

/** Writes HTML in which every value is escaped, but for what was written by `markup` itself or is `raw`. */
export const markup = html
export { raw }

/** What was written, as text. None of its values may be a promise. */
export const written = (page: { toString(): string }): string => page.toString()
