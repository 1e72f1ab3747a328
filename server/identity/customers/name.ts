import { Refusal } from '#contract/errors.ts'

/** Control characters, and the marks by which a text would turn what is written after it around. */
const UNWRITABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Others read it as the sender of money: it is one line, and what nobody can see (Unicode categories C and Z) is no name. Throws Refusal `fields_missing`. */
export function readName(text: string): string {
  const name = text.replace(/\s+/g, ' ').replace(UNWRITABLE, '').trim()
  if (name.replace(/[\p{C}\p{Z}]/gu, '') === '') throw new Refusal('fields_missing', 'fullName')
  return name
}
