import { hash } from 'node:crypto'

/** The characters of Crockford's base 32, which excludes letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BITS_PER_CHARACTER = 5

/** The identifiers shown to people. Each is made from a digest of the identifier's purpose and an operation's id. */
const KINDS = {
  TXN: { purpose: 'transaction', characters: 9 },
  REF: { purpose: 'reference', characters: 6 },
  CO2: { purpose: 'carbon certificate', characters: 9 },
} as const
type Kind = keyof typeof KINDS

function identifierOf(kind: Kind, operationId: string): string {
  const { purpose, characters } = KINDS[kind]
  const digest = hash('sha256', `${purpose}\n${operationId.toLowerCase()}`, 'buffer')
  let bits = digest.readUIntBE(0, 6)
  // The digest's first 48 bits are read, and the first `characters` * 5 of them are used.
  bits = Math.floor(bits / 2 ** (48 - characters * BITS_PER_CHARACTER))
  let text = ''
  for (let place = 0; place < characters; place += 1) {
    text = ALPHABET.charAt(bits % 32) + text
    bits = Math.floor(bits / 32)
  }
  return kind + text
}

/** Returns an operation's identifier for people: TXN and nine characters, which never change. */
export function transactionIdOf(operationId: string): string {
  return identifierOf('TXN', operationId)
}

/** Returns an operation's shorter reference: REF and six characters, which never change. */
export function referenceOf(operationId: string): string {
  return identifierOf('REF', operationId)
}

/** Returns the number of the certificate for a carbon offset's operation: CO2 and nine characters, which never change. */
export function certificateNumberOf(operationId: string): string {
  return identifierOf('CO2', operationId)
}

/**
 * Returns the digest bits to search for, if a text is a transaction identifier or a reference, or the beginning of one. Returns
 * null for any other text.
 */
export function digestOfIdentifier(text: string): { purpose: string; bits: string } | null {
  const match = /^(TXN|REF)([0-9A-Z]+)$/.exec(text.trim().toUpperCase())
  const kind = match?.[1] as Kind | undefined
  const group = match?.[2] ?? ''
  if (!kind || group.length > KINDS[kind].characters) return null
  const values = group.split('').map((character) => ALPHABET.indexOf(character))
  if (values.includes(-1)) return null
  const bits = values.map((value) => value.toString(2).padStart(BITS_PER_CHARACTER, '0')).join('')
  return { purpose: KINDS[kind].purpose, bits }
}
