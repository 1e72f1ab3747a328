import { hash } from 'node:crypto'

/** Crockford's base 32: the letters that are not mistaken for digits or for each other. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BITS_PER_CHARACTER = 5

/** The identifiers a person sees, each read off the digest of an operation's id and its own purpose. */
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
  // 48 bits are read, of which the first characters * 5 count.
  bits = Math.floor(bits / 2 ** (48 - characters * BITS_PER_CHARACTER))
  let text = ''
  for (let place = 0; place < characters; place += 1) {
    text = ALPHABET.charAt(bits % 32) + text
    bits = Math.floor(bits / 32)
  }
  return kind + text
}

/** What a person quotes for an operation: TXN and nine characters, the same for ever. */
export function transactionIdOf(operationId: string): string {
  return identifierOf('TXN', operationId)
}

/** The shorter reference of an operation: REF and six characters, the same for ever. */
export function referenceOf(operationId: string): string {
  return identifierOf('REF', operationId)
}

/** The number of the certificate for what an operation offset: CO2 and nine characters, the same for ever. */
export function certificateNumberOf(operationId: string): string {
  return identifierOf('CO2', operationId)
}

/** The digest to look for, where a text is an identifier or the beginning of one; null where it is neither. */
export function digestOfIdentifier(text: string): { purpose: string; bits: string } | null {
  const match = /^(TXN|REF)([0-9A-Z]+)$/.exec(text.trim().toUpperCase())
  const kind = match?.[1] as Kind | undefined
  const given = match?.[2] ?? ''
  if (!kind || given.length > KINDS[kind].characters) return null
  const values = given.split('').map((character) => ALPHABET.indexOf(character))
  if (values.includes(-1)) return null
  const bits = values.map((value) => value.toString(2).padStart(BITS_PER_CHARACTER, '0')).join('')
  return { purpose: KINDS[kind].purpose, bits }
}
