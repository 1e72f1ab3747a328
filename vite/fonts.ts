import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import subsetFont, { type SubsetOptions } from 'subset-font'
import type { Plugin } from 'vite'
import { LANGUAGES } from '#contract/languages.ts'

/** The weights that the app is written in (web/styles.css has no other). */
const WEIGHTS = { wght: { min: 400, max: 700 } }

type Family = {
  name: string
  /** The files that the app uses, with the letters they are for as a group. */
  file: RegExp
  /** The letters that are needed of the files, in files of another name: theirs with this in the place of 'wght-normal'. */
  only?: { letters: string; as: string }
  /** What the letters are set with: all that the family can where nothing is said. */
  keepFeatures?: readonly string[]
}

/** Fonts come with twice the weights and many times the features that the app uses, and every page waits for one. */
const FAMILIES: readonly Family[] = [
  {
    name: 'inter',
    file: /^inter-(.+)-wght-normal\.woff2$/,
    // What any text needs, and tabular figures.
    keepFeatures: ['ccmp', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'calt', 'tnum'],
  },
  { name: 'noto-sans-arabic', file: /^noto-sans-arabic-(arabic)-wght-normal\.woff2$/ },
  { name: 'noto-sans-sc', file: /^noto-sans-sc-(117)-wght-normal\.woff2$/, only: { letters: '“”', as: 'quotes' } },
  // What Chinese and Japanese are called, for who chooses a language on a device without their letters.
  {
    name: 'noto-sans-jp',
    file: /^noto-sans-jp-(113|116|117|118)-wght-normal\.woff2$/,
    only: { letters: LANGUAGES.zh.nativeName + LANGUAGES.ja.nativeName, as: 'names' },
  },
]

/** The letters of ranges as CSS has them: 'U+0000-00FF,U+0131'. */
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

/** Writes what is needed of a family's files into a folder of its own, unless that was done before; answers the folder. */
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
    // Another build may be at it too, and neither is to find half a file.
    const written = `${target}.${process.pid}`
    writeFileSync(
      written,
      await subsetFont(readFileSync(join(source, 'files', whole)), only?.letters ?? lettersOf(range), options),
    )
    renameSync(written, target)
  }
  return folder
}

/** Puts the reduced files in the place of those that the fonts' packages have. */
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
