import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import subsetFont, { type SubsetOptions } from 'subset-font'
import type { Plugin } from 'vite'

/** The weights that the app is written in (web/styles.css has no other). */
const WEIGHTS = { wght: { min: 400, max: 700 } }

type Family = {
  name: string
  /** The files that the app uses, with the letters they are for as a group. */
  file: RegExp
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

/** Writes what is needed of a family's files into a folder of its own, unless that was done before; answers the folder. */
async function reduced(root: string, { name, file, keepFeatures }: Family): Promise<string> {
  const source = join(root, 'node_modules/@fontsource-variable', name)
  const ranges = JSON.parse(readFileSync(join(source, 'unicode.json'), 'utf8')) as Partial<Record<string, string>>
  const options: SubsetOptions = {
    targetFormat: 'woff2',
    variationAxes: WEIGHTS,
    ...(keepFeatures && { keepFeatures }),
  }
  const made = [name, options, ranges, versionOf(root, 'subset-font'), versionOf(root, `@fontsource-variable/${name}`)]
  const digest = createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 12)
  const folder = join(root, 'node_modules/.cache/fonts', digest)
  mkdirSync(folder, { recursive: true })
  for (const whole of readdirSync(join(source, 'files'))) {
    const letters = ranges[file.exec(whole)?.[1] ?? '']
    const target = join(folder, whole)
    if (letters === undefined || existsSync(target)) continue
    // Another build may be at it too, and neither is to find half a file.
    const written = `${target}.${process.pid}`
    writeFileSync(written, await subsetFont(readFileSync(join(source, 'files', whole)), lettersOf(letters), options))
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
        const inside = family.file.source.replace(/^\^|\$$/g, '')
        return {
          find: new RegExp(`^(?:\\./files/|@fontsource-variable/${family.name}/files/)(?=${inside}$)`),
          replacement: `${await reduced(root, family)}/`,
        }
      }),
    )
    return { resolve: { alias } }
  },
})
