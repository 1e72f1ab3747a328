import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The page without anything of a customer's (server/platform/http/static.ts). */
const SHELL = '/app-shell'

/** What a screen is made of. */
const KEPT = /\.(js|css|svg|woff2)$/

/** Without the digest of its content. */
const stemOf = (name: string): string => name.replace(/-[\w-]{8}\.\w+$/, '')

/** Texts of languages, of which nobody needs more than one or two. */
const CATALOGS: ReadonlySet<string> = new Set([
  '_virtual_pseudo-texts',
  ...readdirSync(join(import.meta.dirname, '../../locales')).flatMap((name) =>
    name.endsWith('.po') ? [name.slice(0, -'.po'.length)] : [],
  ),
])

/** Letters that English does not need. */
const isOtherFont = (name: string): boolean => name.endsWith('.woff2') && !/^inter-latin-\w+-normal/.test(name)

/** More than a screen has: the password meter's dictionaries, say. Kept once it is used. */
const LARGE_BYTES = 300_000

/** The files of a build as the worker takes them: those that are kept from the beginning, and those that are once used. */
function filesOf(folder: string): { files: string[]; onDemand: string[] } {
  const hashed = readdirSync(join(folder, 'assets'))
    .filter((name) => KEPT.test(name))
    .toSorted()
  const waits = (name: string): boolean =>
    CATALOGS.has(stemOf(name)) || isOtherFont(name) || statSync(join(folder, 'assets', name)).size > LARGE_BYTES
  const others = readdirSync(folder).filter((name) => KEPT.test(name) && name !== 'sw.js')
  const asset = (name: string): string => `/assets/${name}`
  return {
    files: [...others.map((name) => `/${name}`), ...hashed.filter((name) => !waits(name)).map(asset)],
    onDemand: hashed.filter(waits).map(asset),
  }
}

/** Makes the service worker last, from whatever else the build has made. */
export const worker = (): Plugin => {
  let folder = ''
  return {
    name: 'worker',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        const source = readFileSync(join(import.meta.dirname, 'sw.js'), 'utf8')
        const { files, onDemand } = filesOf(folder)
        const version = createHash('sha256')
          .update(source)
          .update(readFileSync(join(folder, 'index.html')))
        for (const path of files) version.update(`${path}\0`).update(readFileSync(join(folder, path)))
        const build = { version: version.digest('hex').slice(0, 12), shell: SHELL, files, onDemand }
        writeFileSync(join(folder, 'sw.js'), `const BUILD = ${JSON.stringify(build)}\n${source}`)
      },
    },
  }
}
