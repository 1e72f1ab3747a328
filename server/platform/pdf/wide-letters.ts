import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

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
const fontsByName = new Map<string, Buffer>()

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

/** A slice in one weight, as TrueType. */
function makeFont(family: string, { name, ranges }: Slice, weight: Weight): Promise<Buffer> {
  const letters = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  )
  return subsetFont(readPackage(family, `files/${family}-${name}-wght-normal.woff2`), letters.join(''), {
    targetFormat: 'truetype',
    variationAxes: { wght: WEIGHTS[weight] },
  })
}

/** The fonts of the wide letters of one document. */
export type WideLetters = {
  /**
   * The name of the font that has a letter; null where no font has it, and where its font is not ready: then it is noted,
   * and `load` makes it so.
   */
  fontOf(character: string, weight: Weight): string | null
  /** Makes the fonts ready that were asked for; answers whether there were any. */
  load(): Promise<boolean>
  /** A font by its name. */
  font(name: string): Buffer | undefined
}

export function wideLetters(language: string): WideLetters {
  const family = familyOf(language)
  const wanted = new Map<string, () => Promise<Buffer>>()
  return {
    fontOf(character, weight) {
      const code = character.codePointAt(0) ?? 0
      const slice = slicesOf(family).find(({ ranges }) => ranges.some(([first, last]) => code >= first && code <= last))
      if (!slice) return null
      const name = `${family}-${slice.name}-${weight}`
      if (fontsByName.has(name)) return name
      wanted.set(name, () => makeFont(family, slice, weight))
      return null
    },
    async load() {
      const missing = [...wanted]
      wanted.clear()
      for (const [name, make] of missing) fontsByName.set(name, await make())
      return missing.length > 0
    },
    font: (name) => fontsByName.get(name),
  }
}
