import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

/** What a page of the app needs at once, for the server to name in its head, and for the budget to weigh. */
export type Pages = {
  /** The bytes, gzipped, of the scripts that every page needs. */
  firstBytes: number
  /** By the screen's path, as `paths` has it; '*' for any other address. */
  screens: Record<string, { scripts: string[]; styles: string[]; bytes: number }>
  /** The letters of most pages. */
  font: string
}

const ROOT = join(import.meta.dirname, '..')
const ROUTES = join(ROOT, 'web/app/routes.tsx')

/** Lists and what opens beside them stand in this. */
const PANES = 'web/app/shell/panes.tsx'

/** Which files a screen is made of, its own first: of `paths.transfer`, by the name of the path. */
function screenFiles(): Map<string, string[]> {
  const source = readFileSync(ROUTES, 'utf8').replaceAll(/\s+/g, ' ')
  const named = new Map(
    [...source.matchAll(/const (\w+) = async \(\) => \(await import\('#([^']+)'/g)].map(([, name, file]) => [
      name,
      file,
    ]),
  )
  const files = new Map<string, string[]>()
  const [, lists = ''] = /const lists: RouteObject\[\] = \[(.*?)\] const/.exec(source) ?? []
  const note = (path: string | undefined, file: string | undefined) => {
    if (!path || !file || files.has(path)) return
    files.set(path, lists.includes(`paths.${path},`) ? [file, PANES] : [file])
  }
  for (const [, path, rest = ''] of source.matchAll(/\bscreen\( ?(?:paths\.(\w+)|'\*'), ?(?=(.{0,160}))/g)) {
    const [, file] = /^async \(\) => \{?[^;]*?import\('#([^']+)'/.exec(rest) ?? []
    note(path ?? '*', file ?? named.get(/^\w+/.exec(rest)?.[0]))
  }
  for (const [, path, list] of source.matchAll(/home: paths\.(\w+), list: (\w+)/g)) note(path, named.get(list))
  return files
}

/** The addresses of the paths, by their names. */
function addresses(): Map<string, string> {
  const source = readFileSync(join(ROOT, 'web/lib/paths.ts'), 'utf8')
  return new Map([...source.matchAll(/^ {2}(\w+): '([^']+)',$/gm)].map(([, name = '', path = '']) => [name, path]))
}

type Bundle = Rolldown.OutputBundle

/** A chunk and all that it imports, by their file names. */
function closureOf(bundle: Bundle, file: string, seen = new Set<string>()): Set<string> {
  const chunk = bundle[file]
  if (chunk?.type !== 'chunk' || seen.has(file)) return seen
  seen.add(file)
  for (const next of chunk.imports) closureOf(bundle, next, seen)
  return seen
}

function gzipped(bundle: Bundle, files: Iterable<string>): number {
  let bytes = 0
  for (const file of files) {
    const chunk = bundle[file]
    if (chunk?.type === 'chunk') bytes += gzipSync(chunk.code).length
  }
  return bytes
}

const stylesOf = (bundle: Bundle, files: readonly string[]): string[] =>
  files.flatMap((file) => {
    const chunk = bundle[file]
    return chunk?.type === 'chunk' ? [...(chunk.viteMetadata?.importedCss ?? [])] : []
  })

/** Writes pages.json: what each page needs at once. Throws where a path has no screen. */
export const pages = (): Plugin => ({
  name: 'pages',
  apply: 'build',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const entry = chunks.find(({ isEntry, name }) => isEntry && name === 'index')
    if (!entry) this.error('There is no entry')
    const first = closureOf(bundle, entry.fileName)
    const files = screenFiles()
    const screens: Pages['screens'] = {}
    for (const [name, address] of [...addresses(), ['*', '*'] as const]) {
      const parts = (files.get(name) ?? []).map((file) =>
        chunks.find(({ moduleIds }) => moduleIds.includes(join(ROOT, file))),
      )
      if (!parts[0]) this.error(`paths.${name} has no screen in ${ROUTES} that this build could find`)
      const needed = new Set<string>()
      for (const part of parts) if (part) closureOf(bundle, part.fileName, needed)
      const scripts = [...needed].filter((script) => !first.has(script))
      screens[address] = { scripts, styles: stylesOf(bundle, scripts), bytes: gzipped(bundle, scripts) }
    }
    const font = Object.keys(bundle).find((file) => /inter-latin-\w+-normal-[\w-]+\.woff2$/.test(file))
    if (!font) this.error('There is no font')
    const found: Pages = { firstBytes: gzipped(bundle, first), screens, font }
    this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(found) })
  },
})
