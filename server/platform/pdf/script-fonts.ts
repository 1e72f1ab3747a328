import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'
import { getOrCompute } from '#server/platform/pdf/bounded-cache.ts'

/** A script that Inter lacks, the package of its font, and whether a letter's shape depends on its neighbors. */
type Script = { letters: RegExp; family: string; isJoined: boolean }

const joinedScript = (name: string, letters: RegExp): Script => ({
  letters,
  family: `@fontsource-variable/noto-sans-${name}`,
  isJoined: true,
})

/** Matches Arabic letters, punctuation and digits. */
const ARABIC = /[\p{Script=Arabic}\u0600-\u06FF\u0750-\u077F\uFB50-\uFDFF\uFE70-\uFEFC]/u

/**
 * The other scripts. A font of Chinese, Japanese or Korean has tens of megabytes, so it consists of about a hundred slices of
 * letters that are often used together. Fonts of other scripts are one slice.
 */
const SCRIPTS: readonly Script[] = [
  { letters: ARABIC, family: '@fontsource/ibm-plex-sans-arabic', isJoined: true },
  joinedScript('hebrew', /\p{Script=Hebrew}/u),
  joinedScript('thai', /\p{Script=Thai}/u),
  joinedScript('devanagari', /\p{Script=Devanagari}|[\u0964\u0965]/u),
  joinedScript('bengali', /\p{Script=Bengali}/u),
  joinedScript('gujarati', /\p{Script=Gujarati}/u),
  joinedScript('gurmukhi', /\p{Script=Gurmukhi}/u),
  joinedScript('kannada', /\p{Script=Kannada}/u),
  joinedScript('khmer', /\p{Script=Khmer}/u),
  joinedScript('lao', /\p{Script=Lao}/u),
  joinedScript('malayalam', /\p{Script=Malayalam}/u),
  joinedScript('myanmar', /\p{Script=Myanmar}/u),
  joinedScript('sinhala', /\p{Script=Sinhala}/u),
  joinedScript('tamil', /\p{Script=Tamil}/u),
  joinedScript('telugu', /\p{Script=Telugu}/u),
  { letters: /\p{Script=Armenian}/u, family: '@fontsource-variable/noto-sans-armenian', isJoined: false },
  { letters: /\p{Script=Ethiopic}/u, family: '@fontsource-variable/noto-sans-ethiopic', isJoined: false },
  { letters: /\p{Script=Georgian}/u, family: '@fontsource-variable/noto-sans-georgian', isJoined: false },
  { letters: /\p{Script=Hangul}/u, family: '@fontsource-variable/noto-sans-kr', isJoined: false },
]

/**
 * Matches Chinese and Japanese characters. Both share code points; the language of the document decides between their shapes.
 */
const WIDE =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u

/** The first Armenian code point. Earlier ones are Latin, Greek and Cyrillic, which Inter contains. */
const FIRST_OTHER = '\u0530'

/** Matches possible emoji. Inter contains some of these, such as '©'. Several joined emoji, such as a family, form one. */
const EMOJI = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u
const EMOJI_FONT: Script = { letters: EMOJI, family: '@fontsource-variable/noto-emoji', isJoined: true }

/** Scripts whose letters change with their neighbors, or have marks above and below. */
const JOINED = SCRIPTS.filter(({ isJoined: joins }) => joins).map(({ letters }) => letters)

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\u0600-\u06FF]/u

export const isEmoji = (character: string): boolean => EMOJI.test(character)
export const isRightToLeft = (character: string): boolean => RIGHT_TO_LEFT.test(character)

/** The first Chinese code point. The middle dot between words has an earlier code point and is set in Inter. */
const FIRST_WIDE = '\u2E80'

/** Returns whether lines may be broken beside a character. True for scripts that are written without spaces. */
export const isWide = (character: string): boolean =>
  character >= FIRST_WIDE && WIDE.test(character) && !/\p{Script=Hangul}/u.test(character)

/** Returns whether a letter joins its neighbors or is reordered among them, in its script. */
export const isJoined = (character: string): boolean =>
  character >= FIRST_OTHER && JOINED.some((letters) => letters.test(character))

const WEIGHTS = { regular: 400, strong: 600 }
export type Weight = keyof typeof WEIGHTS

/** Returns the script for Chinese or Japanese. Japanese has its own shapes for some of the shared characters. */
const wideScript = (language: string): Script => ({
  letters: WIDE,
  family: language === 'ja' ? '@fontsource-variable/noto-sans-jp' : '@fontsource-variable/noto-sans-sc',
  isJoined: false,
})

function scriptOf(character: string, language: string): Script | null {
  const script = SCRIPTS.find(({ letters }) => letters.test(character))
  if (script) return script
  if (isWide(character)) return wideScript(language)
  return isEmoji(character) ? EMOJI_FONT : null
}

type Range = readonly [first: number, last: number]
type Slice = { name: string; ranges: readonly Range[] }

/** The font slice that contains a letter. */
type FontSlice = { script: Script; slice: Slice }
const placesByLetter = new Map<string, Map<string, FontSlice | null>>()

/** Caches for all documents, filled when the first document needs an entry. */
const slicesByFamily = new Map<string, readonly Slice[]>()
const filesByName = new Map<string, Buffer>()
const fontsInProgress = new Map<string, Promise<void>>()

const readPackage = (family: string, file: string): Buffer =>
  readFileSync(fileURLToPath(new URL(file, import.meta.resolve(`${family}/package.json`))))

/** Parses ranges in the notation of the font's package: 'U+4e00-4e05,U+5b57'. */
const rangesOf = (text: string): Range[] =>
  text.split(',').map((range) => {
    const [first = 0, last = first] = range
      .slice('U+'.length)
      .split('-')
      .map((code) => Number.parseInt(code, 16))
    return [first, last]
  })

function slicesOf(family: string): readonly Slice[] {
  const cachedSlices = slicesByFamily.get(family)
  if (cachedSlices) return cachedSlices
  const ranges = JSON.parse(readPackage(family, 'unicode.json').toString('utf8')) as Record<string, string>
  // A slice's name is '[12]'; its file's name contains only the number.
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

/** Makes a font file once, even if several documents need it at the same time. */
async function ensureFile(name: string, make: () => Promise<Buffer>): Promise<void> {
  if (filesByName.has(name)) return
  const making = fontsInProgress.get(name) ?? make().then((file) => void filesByName.set(name, file))
  fontsInProgress.set(name, making)
  try {
    await making
  } finally {
    fontsInProgress.delete(name)
  }
}

/** Makes the TrueType file of a slice in one weight. */
function makeFont(
  { family, isJoined: needsFeatures }: Script,
  { name, ranges }: Slice,
  weight: Weight,
): Promise<Buffer> {
  const letters = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  )
  // A variable font has one file for all weights. Other fonts have a file for each weight.
  const isVariable = family.startsWith('@fontsource-variable/')
  const wght = WEIGHTS[weight]
  const file = `files/${family.split('/')[1]}-${name}-${isVariable ? 'wght' : wght}-normal.woff2`
  // The space is included because it replaces invisible characters.
  return subsetFont(readPackage(family, file), ` ${letters.join('')}`, {
    targetFormat: 'truetype',
    // Searching for OpenType features takes most of the time, so it is skipped for slices that need none.
    ...(needsFeatures ? {} : { keepFeatures: [] }),
    variationAxes: isVariable ? { wght } : {},
  })
}

/** A slice in one weight, with its file. */
type ScriptFont = { name: string; file: Buffer }

/** One document's fonts for the scripts that Inter lacks. */
export type ScriptFonts = {
  /** Loads the fonts that these texts need in a weight. */
  load(texts: readonly string[], weight: Weight): Promise<void>
  /** Returns the font that contains a letter; null if none does. Throws if that font is not loaded. */
  fontOf(character: string, weight: Weight): ScriptFont | null
}

export function scriptFonts(language: string): ScriptFonts {
  const places = placesByLetter.get(language) ?? new Map<string, FontSlice | null>()
  placesByLetter.set(language, places)
  const placeOf = (character: string): FontSlice | null =>
    getOrCompute(places, character, () => {
      const script = scriptOf(character, language)
      const slice = script && sliceOf(script.family, character)
      return slice && { script, slice }
    })
  const nameIn = ({ family }: Script, slice: Slice, weight: Weight) => `${family}-${slice.name}-${weight}`
  return {
    async load(texts, weight) {
      // Texts are set in this Unicode form.
      for (const character of new Set(texts.flatMap((text) => Array.from(text.normalize('NFC'))))) {
        const place = placeOf(character)
        if (!place) continue
        const { script, slice } = place
        await ensureFile(nameIn(script, slice, weight), () => makeFont(script, slice, weight))
      }
    },
    fontOf(character, weight) {
      const place = placeOf(character)
      if (!place) return null
      const name = nameIn(place.script, place.slice, weight)
      const file = filesByName.get(name)
      if (!file) throw new Error(`${name} is not ready`)
      return { name, file }
    },
  }
}
