import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The page without anything of a customer's (server/bank/web-app/static.ts). */
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

/** The part of a language that the help center alone shows (locales/vite.ts), by what its file's name begins with. */
const ARTICLES = 'articles-'
const isCatalog = (name: string): boolean => CATALOGS.has(stemOf(name))
const isArticles = (name: string): boolean => name.startsWith(ARTICLES) && isCatalog(name.slice(ARTICLES.length))

/** Letters that English does not need. */
const isOtherFont = (name: string): boolean => name.endsWith('.woff2') && !/^inter-latin-\w+-normal/.test(name)

/** More than a screen has: the password meter's dictionaries, say. Kept once it is used. */
const LARGE_BYTES = 300_000

type Files = {
  /** Kept from the beginning. */
  files: string[]
  /** Kept once they are used. */
  onDemand: string[]
  /** By a file that is kept: another that is kept with it. */
  along: Record<string, string>
}

/** The files of a build as the worker takes them. */
function filesOf(folder: string): Files {
  const hashed = readdirSync(join(folder, 'assets'))
    .filter((name) => KEPT.test(name))
    .toSorted()
  const isLarge = (name: string): boolean => statSync(join(folder, 'assets', name)).size > LARGE_BYTES
  const waits = (name: string): boolean => isCatalog(name) || isArticles(name) || isOtherFont(name) || isLarge(name)
  const others = readdirSync(folder).filter((name) => KEPT.test(name) && name !== 'sw.js')
  const asset = (name: string): string => `/assets/${name}`
  // Whoever reads the app in a language finds help in it without a line, too.
  const along = hashed.filter(isCatalog).flatMap((name) => {
    const articles = hashed.find((other) => stemOf(other) === ARTICLES + stemOf(name))
    return articles ? [[asset(name), asset(articles)] as const] : []
  })
  return {
    files: [...others.map((name) => `/${name}`), ...hashed.filter((name) => !waits(name)).map(asset)],
    onDemand: hashed.filter(waits).map(asset),
    along: Object.fromEntries(along),
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
        // Missing files would hide why nothing was built.
        if (!existsSync(join(folder, 'assets'))) return
        const source = readFileSync(join(import.meta.dirname, 'sw.js'), 'utf8')
        const kept = filesOf(folder)
        const version = createHash('sha256')
          .update(source)
          .update(readFileSync(join(folder, 'index.html')))
        for (const path of kept.files) version.update(`${path}\0`).update(readFileSync(join(folder, path)))
        const build = { version: version.digest('hex').slice(0, 12), shell: SHELL, ...kept }
        writeFileSync(join(folder, 'sw.js'), `const BUILD = ${JSON.stringify(build)}\n${source}`)
      },
    },
  }
}
