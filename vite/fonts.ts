import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import subsetFont, { type SubsetOptions } from 'subset-font'
import type { Plugin } from 'vite'
import { LANGUAGES } from '#contract/languages.ts'

/** The range of font weights in the app; web/styles.css uses no others. */
const WEIGHTS = { wght: { min: 400, max: 700 } }

type Family = {
  name: string
  /** A pattern for the files that the app uses. Its group is the name of the file's set of letters. */
  file: RegExp
  /** Keeps only these letters. `as` replaces 'wght-normal' in the names of the resulting files. */
  only?: { letters: string; as: string }
  /** The OpenType features to keep; all features by default. */
  keepFeatures?: readonly string[]
}

/**
 * The font families of the app. The font packages contain twice the weights and many times the features that the app uses. The
 * font files are reduced, because every page waits for a font.
 */
const FAMILIES: readonly Family[] = [
  {
    name: 'inter',
    file: /^inter-(.+)-wght-normal\.woff2$/,
    // The features that every text needs, and tabular figures.
    keepFeatures: ['ccmp', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'calt', 'tnum'],
  },
  { name: 'noto-sans-arabic', file: /^noto-sans-arabic-(arabic)-wght-normal\.woff2$/ },
  { name: 'noto-sans-sc', file: /^noto-sans-sc-(117)-wght-normal\.woff2$/, only: { letters: '“”', as: 'quotes' } },
  // The native names of Chinese and Japanese in the list of languages, for devices without these letters.
  {
    name: 'noto-sans-jp',
    file: /^noto-sans-jp-(113|116|117|118)-wght-normal\.woff2$/,
    only: { letters: LANGUAGES.zh.nativeName + LANGUAGES.ja.nativeName, as: 'names' },
  },
]

/** Returns the letters of a CSS unicode-range, such as 'U+0000-00FF,U+0131'. */
function lettersOf(ranges: string): string {
  const letters = ranges.split(',').flatMap((range) => {
    const [first = 0, last = first] = range
      .replace('U+', '')
      .split('-')
      .map((code) => Number.parseInt(code, 16))
    return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
  })
  return letters.join('')
}

const versionOf = (root: string, name: string): string =>
  (JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version

const named = (file: string, only: Family['only']): string => (only ? file.replace('wght-normal', only.as) : file)

/** Writes reduced versions of a family's font files into a cache folder, unless they exist already. Returns the folder. */
async function reduced(root: string, { name, file, only, keepFeatures }: Family): Promise<string> {
  const source = join(root, 'node_modules/@fontsource-variable', name)
  const ranges = JSON.parse(readFileSync(join(source, 'unicode.json'), 'utf8')) as Partial<Record<string, string>>
  const options: SubsetOptions = {
    targetFormat: 'woff2',
    variationAxes: WEIGHTS,
    ...(keepFeatures && { keepFeatures }),
  }
  const made = [
    name,
    options,
    only?.letters ?? ranges,
    versionOf(root, 'subset-font'),
    versionOf(root, `@fontsource-variable/${name}`),
  ]
  const digest = createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 12)
  const folder = join(root, 'node_modules/.cache/fonts', digest)
  mkdirSync(folder, { recursive: true })
  for (const whole of readdirSync(join(source, 'files'))) {
    const slice = file.exec(whole)?.[1] ?? ''
    const range = ranges[slice] ?? ranges[`[${slice}]`]
    const target = join(folder, named(whole, only))
    if (range === undefined || existsSync(target)) continue
    // Another build may run at the same time, and neither may read a partly written file.
    const temporary = `${target}.${process.pid}`
    writeFileSync(
      temporary,
      await subsetFont(readFileSync(join(source, 'files', whole)), only?.letters ?? lettersOf(range), options),
    )
    renameSync(temporary, target)
  }
  return folder
}

/** Replaces the files of the font packages with the reduced ones. */
export const fonts = (): Plugin => ({
  name: 'fonts',
  config: async ({ root = process.cwd() }) => {
    const alias = await Promise.all(
      FAMILIES.map(async (family) => {
        const inside = named(family.file.source.replace(/^\^|\$$/g, ''), family.only)
        return {
          find: new RegExp(`^(?:\\./files/|@fontsource-variable/${family.name}/files/)(?=${inside}$)`),
          replacement: `${await reduced(root, family)}/`,
        }
      }),
    )
    return { resolve: { alias } }
  },
})
