import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'
import { remembered } from '#server/platform/pdf/remembered.ts'

/**
 * Chinese and Japanese letters. A font of all of them has tens of megabytes, so it comes in a hundred slices of letters that are
 * often used together, each made ready when a document first needs it.
 */
const WIDE =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u

export const isWide = (character: string): boolean => WIDE.test(character)

const WEIGHTS = { regular: 400, strong: 600 }
export type Weight = keyof typeof WEIGHTS

/** Of the letters that both write, Japanese has its own shapes for some. */
const familyOf = (language: string) => (language === 'ja' ? 'noto-sans-jp' : 'noto-sans-sc')

type Range = readonly [first: number, last: number]
type Slice = { name: string; ranges: readonly Range[] }

/** The same for every document, and read when the first one needs them. */
const slicesByFamily = new Map<string, readonly Slice[]>()
const slicesByLetter = new Map<string, Slice | null>()
const filesByName = new Map<string, Buffer>()
const beingMade = new Map<string, Promise<void>>()

const readPackage = (family: string, file: string): Buffer =>
  readFileSync(fileURLToPath(new URL(file, import.meta.resolve(`@fontsource-variable/${family}/package.json`))))

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
  return remembered(slicesByLetter, family + character, () => slicesOf(family).find(holds) ?? null)
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
function makeFont(family: string, { name, ranges }: Slice, weight: Weight): Promise<Buffer> {
  const letters = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  )
  return subsetFont(readPackage(family, `files/${family}-${name}-wght-normal.woff2`), letters.join(''), {
    targetFormat: 'truetype',
    // None moves letters that are set from left to right; looking for them takes longer than all else.
    keepFeatures: [],
    variationAxes: { wght: WEIGHTS[weight] },
  })
}

/** A slice in one weight, and its file where that is ready. */
type WideFont = { name: string; file: Buffer }

/** The fonts of the wide letters of one document. */
export type WideLetters = {
  /** Makes the fonts ready that these texts need in a weight. */
  load(texts: readonly string[], weight: Weight): Promise<void>
  /** The font that a letter is in; null where none has it. Throws where it is not ready. */
  fontOf(character: string, weight: Weight): WideFont | null
}

export function wideLetters(language: string): WideLetters {
  const family = familyOf(language)
  const nameIn = (slice: Slice, weight: Weight) => `${family}-${slice.name}-${weight}`
  return {
    async load(texts, weight) {
      // In the form in which they are set.
      const characters = new Set(texts.flatMap((text) => Array.from(text.normalize('NFC')).filter(isWide)))
      for (const character of characters) {
        const slice = sliceOf(family, character)
        if (slice) await ready(nameIn(slice, weight), () => makeFont(family, slice, weight))
      }
    },
    fontOf(character, weight) {
      const slice = sliceOf(family, character)
      if (!slice) return null
      const name = nameIn(slice, weight)
      const file = filesByName.get(name)
      if (!file) throw new Error(`${name} is not ready`)
      return { name, file }
    },
  }
}
