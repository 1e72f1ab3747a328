import unhomoglyph from 'unhomoglyph'
import { Refusal } from '#contract/errors.ts'

/** Control and invisible characters (Unicode categories Cc and Cf), except the two joiners that some scripts need. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu
const JOINER = /[\u200c\u200d]/gu
const JOINED_SCRIPTS =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{M}])[\u200c\u200d](?=\p{L})/gu

/** Letters with their marks, a few digits ("Ann Lee 3rd"), and the punctuation of names. */
const NAME = /^[\p{L}\p{M}\p{N} .,'’‘ʼʻ`´·・\-‐‑()\u200c\u200d]+$/u
/** The largest number of digits in a name. A text with more digits is a phone number, an amount or a code. */
const MAX_DIGITS = 4
/** Text that a mail program would turn into a link: "evil.example", "www.evil". Initials do not match: "J.R.R. Tolkien". */
const LINK = /\p{L}{2,}\.\p{L}{2,}|\bwww\.|\bhttps?\b/iu

/**
 * Reads a person's name into one line without invisible characters. Other customers see the name as the sender of money. A name
 * therefore has no link, address or phone number, does not mix look-alike scripts, and does not imitate the bank. Throws
 * Refusal `fields_missing` if the text is empty, or `name_invalid`.
 */
export function readName(text: string): string {
  const name = plainText(text)
  if (name.replace(/[\p{C}\p{Z}]/gu, '') === '') throw new Refusal('fields_missing', 'fullName')
  if (!isName(name)) throw new Refusal('name_invalid', 'fullName')
  return name
}

/** Returns `text` if it is a valid name, else `otherwise`. It is for names that no person has typed. */
export function nameOr(text: string, otherwise: string): string {
  return isName(plainText(text)) ? text : otherwise
}

function plainText(text: string): string {
  const joinedIndexes = new Set([...text.matchAll(JOINED_SCRIPTS)].map(({ index }) => index))
  return text
    .replace(JOINER, (joiner, index: number) => (joinedIndexes.has(index) ? joiner : ''))
    .replace(/\s+/g, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .trim()
}

function isName(name: string): boolean {
  if (!NAME.test(name) || !/\p{L}/u.test(name) || LINK.test(name)) return false
  if ((name.match(/\p{N}/gu)?.length ?? 0) > MAX_DIGITS) return false
  return !mixesScripts(name) && !pretendsToBeTheBank(name)
}

/** Scripts with look-alike letters. A name uses only one of them. */
const ALIKE = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]
const OTHER_SCRIPTS = /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}\p{Script=Inherited}]/u
/** Scripts that occasionally stand beside Latin letters in one word. */
const BESIDE_LATIN =
  /[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}]/gu

/**
 * Returns whether a name has letters of more than one of the scripts Latin, Cyrillic and Greek, or a word that mixes one of
 * them with another script. Latin may stand beside the scripts of BESIDE_LATIN, as in Unicode's "highly restrictive" level
 * (UTS 39, section 5.2).
 */
function mixesScripts(name: string): boolean {
  if (ALIKE.filter((script) => script.test(name)).length > 1) return true
  return name.split(/[\s-]+/).some((word) => {
    const isLookAlike = ALIKE.some((script) => script.test(word))
    return isLookAlike && OTHER_SCRIPTS.test(word) && word.replace(BESIDE_LATIN, '') !== ''
  })
}

const BANK = 'alder'

/** Words that impostors use, alone or with the bank's name, to be taken for the bank. */
const OFFICES =
  'account accounts admin administration alert alerts app assistance bank banking billing bonus card cards care center centre claims compliance contact credit customer customers department desk finance fraud help identity info jackpot loan loans management message money no notice notification notifications office official online pay payment payments prevention prize protection refund refunds reply reward rewards safety savings secure security service services staff support system team transaction transactions transfer transfers trust update urgent verification verify warning winner'
/** Words that do not change whether a name imitates the bank. */
const FILLERS = 'the by from at of for in and your our mr mrs ms dr inc ltd llc plc gmbh ag co uk us eu de com'

/** Maps look-alike characters to one form: the confusables of UTS 39, and also i, l, 1, | and !; o and 0; e and 3. */
function lookOf(text: string): string {
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '')
  const latin = unhomoglyph(bare).toLowerCase()
  return unhomoglyph(latin)
    .toLowerCase()
    .replace(/[i1|!]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('3', 'e')
}

const wordsOf = (list: string) => new Set(list.split(' ').map(lookOf))
const [OFFICE_WORDS, FILLER_WORDS] = [wordsOf(OFFICES), wordsOf(FILLERS)]
const BANK_LOOK = lookOf(BANK)
const RUN_TOGETHER = new RegExp(
  `^(${[...OFFICE_WORDS, ...FILLER_WORDS].join('|')})*${BANK_LOOK}s?(${[...OFFICE_WORDS, ...FILLER_WORDS].join('|')})*$`,
)

/**
 * Returns whether a name imitates the bank: "Alder", "Alder Support", "A l d e r", "AlderBank", "Customer Care". Ann Alder and
 * Alder Smith are names of people.
 */
function pretendsToBeTheBank(name: string): boolean {
  const words = lookOf(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  if (RUN_TOGETHER.test(words.join(''))) return true
  const isOffice = (word: string) => OFFICE_WORDS.has(word) || FILLER_WORDS.has(word)
  if (words.some((word) => word === BANK_LOOK)) return words.some(isOffice)
  if (words.some((word) => word.length > BANK_LOOK.length && RUN_TOGETHER.test(word))) return true
  return words.every(isOffice) && words.some((word) => OFFICE_WORDS.has(word))
}
