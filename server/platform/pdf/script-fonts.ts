import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'
import { remembered } from '#server/platform/pdf/remembered.ts'

/** A script that Inter lacks, the package that has it, and whether a letter's shape depends on those beside it. */
type Script = { letters: RegExp; family: string; isJoined: boolean }

const joined = (name: string, letters: RegExp): Script => ({
  letters,
  family: `@fontsource-variable/noto-sans-${name}`,
  isJoined: true,
})

/** With the punctuation and digits of its own. */
const ARABIC = /[\p{Script=Arabic}\u0600-\u06FF\u0750-\u077F\uFB50-\uFDFF\uFE70-\uFEFC]/u

/**
 * Fonts of Chinese, Japanese and Korean have tens of megabytes, so they come in a hundred
 * slices of letters that are often used together; those of other scripts are one slice.
 */
const SCRIPTS: readonly Script[] = [
  { letters: ARABIC, family: '@fontsource/ibm-plex-sans-arabic', isJoined: true },
  joined('hebrew', /\p{Script=Hebrew}/u),
  joined('thai', /\p{Script=Thai}/u),
  joined('devanagari', /\p{Script=Devanagari}|[\u0964\u0965]/u),
  joined('bengali', /\p{Script=Bengali}/u),
  joined('gujarati', /\p{Script=Gujarati}/u),
  joined('gurmukhi', /\p{Script=Gurmukhi}/u),
  joined('kannada', /\p{Script=Kannada}/u),
  joined('khmer', /\p{Script=Khmer}/u),
  joined('lao', /\p{Script=Lao}/u),
  joined('malayalam', /\p{Script=Malayalam}/u),
  joined('myanmar', /\p{Script=Myanmar}/u),
  joined('sinhala', /\p{Script=Sinhala}/u),
  joined('tamil', /\p{Script=Tamil}/u),
  joined('telugu', /\p{Script=Telugu}/u),
  { letters: /\p{Script=Armenian}/u, family: '@fontsource-variable/noto-sans-armenian', isJoined: false },
  { letters: /\p{Script=Ethiopic}/u, family: '@fontsource-variable/noto-sans-ethiopic', isJoined: false },
  { letters: /\p{Script=Georgian}/u, family: '@fontsource-variable/noto-sans-georgian', isJoined: false },
  { letters: /\p{Script=Hangul}/u, family: '@fontsource-variable/noto-sans-kr', isJoined: false },
]

/** Chinese and Japanese, whose letters share their codes: which shapes they have follows from the language of the document. */
const WIDE =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u

/** Armenian's first; what comes before is Latin, Greek and Cyrillic, which Inter has. */
const FIRST_OTHER = '\u0530'

/** What may be an emoji; of some, as of '©', Inter has the letter. Several that are joined, as those of a family are, are one. */
const EMOJI = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u
const EMOJI_FONT: Script = { letters: EMOJI, family: '@fontsource-variable/noto-emoji', isJoined: true }

/** Scripts whose letters change with those beside them, or have marks above and below. */
const JOINED = SCRIPTS.filter(({ isJoined: joins }) => joins).map(({ letters }) => letters)

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\u0600-\u06FF]/u

export const isEmoji = (character: string): boolean => EMOJI.test(character)
export const isRightToLeft = (character: string): boolean => RIGHT_TO_LEFT.test(character)

/** The first of Chinese: the point between words, which it has too, is Inter's. */
const FIRST_WIDE = '\u2E80'

/** Lines may be broken beside these, for they are written without spaces. */
export const isWide = (character: string): boolean =>
  character >= FIRST_WIDE && WIDE.test(character) && !/\p{Script=Hangul}/u.test(character)

/** Whether a letter joins those beside it or is moved among them, in a script of its own. */
export const isJoined = (character: string): boolean =>
  character >= FIRST_OTHER && JOINED.some((letters) => letters.test(character))

const WEIGHTS = { regular: 400, strong: 600 }
export type Weight = keyof typeof WEIGHTS

/** Of the letters that both write, Japanese has its own shapes for some. */
const wideScript = (language: string): Script => ({
  letters: WIDE,
  family: language === 'ja' ? '@fontsource-variable/noto-sans-jp' : '@fontsource-variable/noto-sans-sc',
  isJoined: false,
})

function scriptOf(character: string, language: string): Script | null {
  const own = SCRIPTS.find(({ letters }) => letters.test(character))
  if (own) return own
  if (isWide(character)) return wideScript(language)
  return isEmoji(character) ? EMOJI_FONT : null
}

type Range = readonly [first: number, last: number]
type Slice = { name: string; ranges: readonly Range[] }

/** Where a letter is found. */
type Place = { script: Script; slice: Slice }
const placesByLetter = new Map<string, Map<string, Place | null>>()

/** The same for every document, and read when the first one needs them. */
const slicesByFamily = new Map<string, readonly Slice[]>()
const filesByName = new Map<string, Buffer>()
const beingMade = new Map<string, Promise<void>>()

const readPackage = (family: string, file: string): Buffer =>
  readFileSync(fileURLToPath(new URL(file, import.meta.resolve(`${family}/package.json`))))

/** Ranges as the font's package has them: 'U+4e00-4e05,U+5b57'. */
const rangesOf = (text: string): Range[] =>
  text.split(',').map((range) => {
    const [first = 0, last = first] = range
      .slice('U+'.length)
      .split('-')
      .map((code) => Number.parseInt(code, 16))
    return [first, last]
  })

function slicesOf(family: string): readonly Slice[] {
  const known = slicesByFamily.get(family)
  if (known) return known
  const ranges = JSON.parse(readPackage(family, 'unicode.json').toString('utf8')) as Record<string, string>
  // A slice is called '[12]', and its file has the number alone.
  const slices = Object.entries(ranges).map(([name, text]) => ({
    name: name.replaceAll(/[[\]]/g, ''),
    ranges: rangesOf(text),
  }))
  slicesByFamily.set(family, slices)
  return slices
}

function sliceOf(family: string, character: string): Slice | null {
  const code = character.codePointAt(0) ?? 0
  const holds = ({ ranges }: Slice) => ranges.some(([first, last]) => code >= first && code <= last)
  return slicesOf(family).find(holds) ?? null
}

/** Has a file made once, also where several documents need it at the same time. */
async function ready(name: string, make: () => Promise<Buffer>): Promise<void> {
  if (filesByName.has(name)) return
  const making = beingMade.get(name) ?? make().then((file) => void filesByName.set(name, file))
  beingMade.set(name, making)
  try {
    await making
  } finally {
    beingMade.delete(name)
  }
}

/** A slice in one weight, as TrueType. */
function makeFont({ family, isJoined: keeps }: Script, { name, ranges }: Slice, weight: Weight): Promise<Buffer> {
  const letters = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  )
  // One file has all weights of a variable font; of others each has one.
  const isVariable = family.startsWith('@fontsource-variable/')
  const wght = WEIGHTS[weight]
  const file = `files/${family.split('/')[1]}-${name}-${isVariable ? 'wght' : wght}-normal.woff2`
  // With the space, which stands for what is not seen.
  return subsetFont(readPackage(family, file), ` ${letters.join('')}`, {
    targetFormat: 'truetype',
    // To look for the features of a slice that needs none takes longer than all else.
    ...(keeps ? {} : { keepFeatures: [] }),
    variationAxes: isVariable ? { wght } : {},
  })
}

/** A slice in one weight, and its file. */
type ScriptFont = { name: string; file: Buffer }

/** The fonts of one document for what Inter lacks. */
export type ScriptFonts = {
  /** Makes the fonts ready that these texts need in a weight. */
  load(texts: readonly string[], weight: Weight): Promise<void>
  /** The font that a letter is in; null where none has it. Throws where it is not ready. */
  fontOf(character: string, weight: Weight): ScriptFont | null
}

export function scriptFonts(language: string): ScriptFonts {
  const known = placesByLetter.get(language) ?? new Map<string, Place | null>()
  placesByLetter.set(language, known)
  const placeOf = (character: string): Place | null =>
    remembered(known, character, () => {
      const script = scriptOf(character, language)
      const slice = script && sliceOf(script.family, character)
      return slice && { script, slice }
    })
  const nameIn = ({ family }: Script, slice: Slice, weight: Weight) => `${family}-${slice.name}-${weight}`
  return {
    async load(texts, weight) {
      // In the form in which they are set.
      for (const character of new Set(texts.flatMap((text) => Array.from(text.normalize('NFC'))))) {
        const found = placeOf(character)
        if (!found) continue
        const { script, slice } = found
        await ready(nameIn(script, slice, weight), () => makeFont(script, slice, weight))
      }
    },
    fontOf(character, weight) {
      const found = placeOf(character)
      if (!found) return null
      const name = nameIn(found.script, found.slice, weight)
      const file = filesByName.get(name)
      if (!file) throw new Error(`${name} is not ready`)
      return { name, file }
    },
  }
}
