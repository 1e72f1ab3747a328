import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseUnambiguous } from '#server/platform/http/unambiguous.ts'

/** A JSON text in any spelling: spaces between, and keys with characters escaped. */
type Node = { text: string; twice: boolean }

const space = fc.constantFrom('', ' ', '\n\t')
const spelled = (text: string, escaped: boolean) =>
  escaped && text.length > 0
    ? `"\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${JSON.stringify(text.slice(1)).slice(1)}`
    : JSON.stringify(text)

/**
 * Few names, so that some repeat; among them what looks like a part of JSON. None is a backslash alone: once V8 (14.6) has seen one, JSON.parse
 * takes the next key that begins with an escape for it.
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
      text: `{${entries.map(([key, escaped, gap, { text }]) => `${gap}${spelled(key, escaped)}${gap}:${gap}${text}`).join(',')}}`,
      twice: new Set(entries.map(([key]) => key)).size < entries.length || entries.some(([, , , { twice }]) => twice),
    })),
  ),
}))

test('a text in which an object has a key twice is refused, and every other is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(node, ({ text, twice }) => {
      if (twice) expect(() => parseUnambiguous(text)).toThrow(expect.objectContaining({ code: 'request_invalid' }))
      else expect(parseUnambiguous(text)).toEqual(JSON.parse(text))
    }),
    { numRuns: 2_000 },
  )
})

test.each(['', '{', '{"a":1', "{'a':1}", '"', '\\'])('no JSON: %s', (text) => {
  expect(parseUnambiguous(text)).toBeUndefined()
})

test.each([
  ['{"amountMinor":1,"amountMinor":1000}', 'amountMinor'],
  [String.raw`{"amountMinor":1,"\u0061mountMinor":1000}`, 'amountMinor'],
  ['{"card":{"number":"1","number":"2"}}', 'number'],
])('%s', (text, field) => {
  expect(() => parseUnambiguous(text)).toThrow(expect.objectContaining({ code: 'request_invalid', field }))
})
