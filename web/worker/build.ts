import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The path of the page without customer data (server/bank/web-app/static.ts). */
const SHELL = '/app-shell'

/** The file types of screens. */
const CACHED_FILES = /\.(js|css|svg|woff2)$/

/** Returns a file name without the digest of its content. */
const stemOf = (name: string): string => name.replace(/-[\w-]{8}\.\w+$/, '')

/** The names of the language catalogs. A customer needs one or two of them. */
const CATALOGS: ReadonlySet<string> = new Set([
  '_virtual_pseudo-texts',
  ...readdirSync(join(import.meta.dirname, '../../locales')).flatMap((name) =>
    name.endsWith('.po') ? [name.slice(0, -'.po'.length)] : [],
  ),
])

/** The prefix of the catalog files that only the help center uses (locales/vite-plugin.ts). */
const ARTICLES = 'articles-'
const isCatalog = (name: string): boolean => CATALOGS.has(stemOf(name))
const isArticles = (name: string): boolean => name.startsWith(ARTICLES) && isCatalog(name.slice(ARTICLES.length))

/** Returns whether a file is a font that English does not need. */
const isOtherFont = (name: string): boolean => name.endsWith('.woff2') && !/^inter-latin-\w+-normal/.test(name)

/**
 * Files larger than this, such as the dictionaries of the password meter, are not part of a screen. They are cached on first
 * use.
 */
const LARGE_BYTES = 300_000

type Files = {
  /** The files that are cached at installation. */
  files: string[]
  /** The files that are cached on first use. */
  onDemand: string[]
  /** For some files, another file that is cached together with it. */
  along: Record<string, string>
}

/** Returns the files of a build, sorted for the worker. */
function filesOf(folder: string): Files {
  const hashedFiles = readdirSync(join(folder, 'assets'))
    .filter((name) => CACHED_FILES.test(name))
    .toSorted()
  const isLarge = (name: string): boolean => statSync(join(folder, 'assets', name)).size > LARGE_BYTES
  const waits = (name: string): boolean => isCatalog(name) || isArticles(name) || isOtherFont(name) || isLarge(name)
  const otherFiles = readdirSync(folder).filter((name) => CACHED_FILES.test(name) && name !== 'sw.js')
  const asset = (name: string): string => `/assets/${name}`
  // The help texts of a language are cached with its catalog, so that help works offline too.
  const along = hashedFiles.filter(isCatalog).flatMap((name) => {
    const articles = hashedFiles.find((other) => stemOf(other) === ARTICLES + stemOf(name))
    return articles ? [[asset(name), asset(articles)] as const] : []
  })
  return {
    files: [...otherFiles.map((name) => `/${name}`), ...hashedFiles.filter((name) => !waits(name)).map(asset)],
    onDemand: hashedFiles.filter(waits).map(asset),
    along: Object.fromEntries(along),
  }
}

/** Creates the service worker at the end of the build, from the list of built files. */
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
        // After a failed build, an error about missing files would hide the cause.
        if (!existsSync(join(folder, 'assets'))) return
        const source = readFileSync(join(import.meta.dirname, 'sw.js'), 'utf8')
        const files = filesOf(folder)
        const version = createHash('sha256')
          .update(source)
          .update(readFileSync(join(folder, 'index.html')))
        for (const path of files.files) version.update(`${path}\0`).update(readFileSync(join(folder, path)))
        const build = { version: version.digest('hex').slice(0, 12), shell: SHELL, ...files }
        writeFileSync(join(folder, 'sw.js'), `const BUILD = ${JSON.stringify(build)}\n${source}`)
      },
    },
  }
}
