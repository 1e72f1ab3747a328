import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseStrictJson } from '#server/platform/http/strict-json.ts'

/** A JSON text in any spelling: with spaces between tokens, and with escaped characters in keys. */
type Node = { text: string; twice: boolean }

const space = fc.constantFrom('', ' ', '\n\t')
const spell = (text: string, escaped: boolean) =>
  escaped && text.length > 0
    ? `"\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${JSON.stringify(text.slice(1)).slice(1)}`
    : JSON.stringify(text)

/**
 * A few names, so that some repeat. Some contain characters of JSON's syntax. A backslash alone is not among them because of a
 * bug in V8 (14.6): after one such key, JSON.parse reads the next key that begins with an escape as a backslash.
 */
const name = fc.constantFrom('a', 'amountMinor', '', '"', 'a\\', '{', '}', '":', '__proto__', 'é')

const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .oneof(fc.integer(), fc.boolean(), fc.constant(null), name)
      .map((value) => ({ text: JSON.stringify(value), twice: false })),
    fc.array(tie('node'), { maxLength: 3 }).map((nodes) => ({
      text: `[${nodes.map(({ text }) => text).join(',')}]`,
      twice: nodes.some(({ twice }) => twice),
    })),
    fc.array(fc.tuple(name, fc.boolean(), space, tie('node')), { maxLength: 4 }).map((entries) => ({
      text: `{${entries.map(([key, escaped, gap, { text }]) => `${gap}${spell(key, escaped)}${gap}:${gap}${text}`).join(',')}}`,
      twice: new Set(entries.map(([key]) => key)).size < entries.length || entries.some(([, , , { twice }]) => twice),
    })),
  ),
}))

test('a text with a duplicate key in an object is refused, and every other text is parsed like JSON.parse', () => {
  fc.assert(
    fc.property(node, ({ text, twice }) => {
      if (twice) expect(() => parseStrictJson(text)).toThrow(expect.objectContaining({ code: 'request_invalid' }))
      else expect(parseStrictJson(text)).toEqual(JSON.parse(text))
    }),
    { numRuns: 2_000 },
  )
})

test.each(['', '{', '{"a":1', "{'a':1}", '"', '\\'])('invalid JSON is refused: %s', (text) => {
  expect(parseStrictJson(text)).toBeUndefined()
})

test.each([
  ['{"amountMinor":1,"amountMinor":1000}', 'amountMinor'],
  [String.raw`{"amountMinor":1,"\u0061mountMinor":1000}`, 'amountMinor'],
  ['{"card":{"number":"1","number":"2"}}', 'number'],
])('a duplicate key is refused: %s', (text, field) => {
  expect(() => parseStrictJson(text)).toThrow(expect.objectContaining({ code: 'request_invalid', field }))
})
