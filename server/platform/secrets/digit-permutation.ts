import { createCipheriv } from 'node:crypto'

/**
 * A permutation of all numbers with the same count of digits. Without the key, it looks random. It is FF1 of NIST SP 800-38G
 * for decimal digits, without a tweak.
 */
export type DigitPermutation = { forwards(digits: string): string; backwards(digits: string): string }

const ROUNDS = 10
const BLOCK = 16
/**
 * The allowed count of digits. FF1 needs at least a million values. With at most 18 digits, half of a number fits into one AES
 * block and into the six bytes that `writeUIntBE` can write.
 */
const MIN_DIGITS = 6
const MAX_DIGITS = 18

/** Returns the permutation for a key of 16, 24 or 32 bytes. */
export function digitPermutation(key: Buffer): DigitPermutation {
  return {
    forwards: (digits) => {
      const { sizes, round } = roundsFor(key, digits)
      let [a, b] = [digits.slice(0, sizes[0]), digits.slice(sizes[0])]
      for (let index = 0; index < ROUNDS; index += 1) [a, b] = [b, round(index, a, b, 1n)]
      return a + b
    },
    backwards: (digits) => {
      const { sizes, round } = roundsFor(key, digits)
      let [a, b] = [digits.slice(0, sizes[0]), digits.slice(sizes[0])]
      for (let index = ROUNDS - 1; index >= 0; index -= 1) [a, b] = [round(index, b, a, -1n), a]
      return a + b
    },
  }
}

/**
 * Returns `round`, which adds a function of one half to the other half, or subtracts it. The names in brackets are the
 * standard's.
 */
function roundsFor(key: Buffer, digits: string) {
  const length = digits.length
  if (!/^\d+$/.test(digits) || length < MIN_DIGITS || length > MAX_DIGITS) throw new RangeError('Not such a number')
  const sizes = [Math.floor(length / 2), Math.ceil(length / 2)] as const
  // The number of bytes of a half [b], and of the added number [d].
  const halfBytes = Math.ceil(Math.ceil(sizes[1] * Math.log2(10)) / 8)
  const added = 4 * Math.ceil(halfBytes / 4) + 4
  const head = Buffer.from([1, 2, 1, 0, 0, 10, ROUNDS, sizes[0], 0, 0, 0, length, 0, 0, 0, 0])
  const round = (index: number, changed: string, other: string, sign: 1n | -1n): string => {
    const randomBlock = Buffer.alloc(BLOCK)
    randomBlock.writeUInt8(index, BLOCK - halfBytes - 1)
    randomBlock.writeUIntBE(Number(other), BLOCK - halfBytes, halfBytes)
    const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, Buffer.alloc(BLOCK)).setAutoPadding(false)
    const block = Buffer.concat([cipher.update(head), cipher.update(randomBlock)]).subarray(BLOCK)
    const size = sizes[index % 2 === 0 ? 0 : 1]
    const modulus = 10n ** BigInt(size)
    const sum = (BigInt(changed) + sign * BigInt(`0x${block.toString('hex', 0, added)}`)) % modulus
    return String((sum + modulus) % modulus).padStart(size, '0')
  }
  return { sizes, round }
}
