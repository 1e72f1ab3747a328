import { html, raw } from 'hono/html'

/** Writes HTML and escapes every value, except those from `markup` itself and from `raw`. */
export const markup = html
export { raw }

/** Returns written HTML as text. None of its values may be a promise. */
export const htmlText = (page: { toString(): string }): string => page.toString()
