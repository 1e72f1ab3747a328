import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digitPermutation } from '#server/platform/secrets/digit-permutation.ts'

/** NIST's examples of FF1 (SP 800-38G, samples 1, 4 and 7): decimal digits, no tweak. */
test.each([
  ['AES-128', '2B7E151628AED2A6ABF7158809CF4F3C', '2433477484'],
  ['AES-192', '2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F', '2830668132'],
  ['AES-256', '2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94', '6657667009'],
])('%s matches the NIST test vectors', (_, key, expected) => {
  const { forwards, backwards } = digitPermutation(Buffer.from(key, 'hex'))
  expect(forwards('0123456789')).toBe(expected)
  expect(backwards(expected)).toBe('0123456789')
})

test('every number is mapped to one of the same length, and back', () => {
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(key, fc.stringMatching(/^\d{6,18}$/), (bytes, digits) => {
      const { forwards, backwards } = digitPermutation(Buffer.from(bytes))
      const other = forwards(digits)
      expect(other).toMatch(/^\d+$/)
      expect(other).toHaveLength(digits.length)
      expect(backwards(other)).toBe(digits)
      expect(forwards(backwards(digits))).toBe(digits)
    }),
  )
})

test.each(['', '12345', '1234567890123456789', '12345a', '１２３４５６７', '-123456'])(
  '%j is not a valid number',
  (digits) => {
    const permutation = digitPermutation(Buffer.alloc(32))
    expect(() => permutation.forwards(digits)).toThrow(RangeError)
    expect(() => permutation.backwards(digits)).toThrow(RangeError)
  },
)
