import { bankZone } from '#server/platform/time-zone.ts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '#contract/languages.ts'
import { readBuildFile } from '#server/platform/http/build-file.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The files that each page needs immediately, from the list that the build writes (vite/pages.ts). */
type Pages = { screens: Record<string, { scripts: string[]; styles: string[] }>; font: string }

/** A prerendered screen without the bank's data (vite/prerender.ts). `asks` is the API requests that the screen makes first. */
type DrawnScreen = { title: string; html: string; asks: string[] }

type Drawn = Partial<Record<string, Partial<Record<string, DrawnScreen>>>>

/**
 * The first requests of a page, which it sends before the app's code has loaded (web/public/boot.js). `open`: requests for the
 * signed-in customer. `visit`: a request that creates a sample customer. `session`: a request whether a customer is signed in.
 * `nothing`: no request.
 */
export type FirstRequests = 'open' | 'visit' | 'session' | 'nothing'

export type PageWriter = {
  /** The page as it was built, the same for all visitors. */
  plain: string
  /**
   * Returns the page for an address. `first` is null if the bank is in trouble. The app then determines its first requests
   * itself.
   */
  write(page: { path: string; first: FirstRequests | null; language: Language }): string
}

/**
 * Returns the tags that preload files, for the head of the page. A browser fetches these files without waiting for the script
 * that imports them.
 */
function headFor({ screens, font }: Pages, path: string): string {
  const { scripts, styles } = screens[path] ?? screens['*'] ?? { scripts: [], styles: [] }
  return [
    `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`,
    ...styles.map((file) => `<link rel="stylesheet" href="/${file}">`),
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ].join('')
}

/**
 * Inserts a prerendered screen into the page. People see this screen first, although its buttons do not work until the app has
 * replaced it. The browser therefore fetches the screen's styles and fonts before the app's code.
 */
const drawnIn = (page: string, { title, html, asks }: DrawnScreen): string =>
  page
    .replaceAll(/<script type="module"|<link rel="modulepreload"/g, '$& fetchpriority="low"')
    .replace('<html', `<html data-drawn data-first-data="${asks.join(' ')}"`)
    .replace(/<title>[^<]*/, () => `<title>${title}`)
    .replace('<div id="root">', () => `<div id="root" inert aria-busy="true">${html}`)

/**
 * Reads the built page in `root`. The page is read only once, so a new build requires a restart. Returns null if there is no
 * build. `missing` lists the paths of screens that this bank does not have.
 */
export function openPages(
  { policy }: Pick<Deps, 'policy'>,
  { root, missing }: { root: string; missing: readonly string[] },
): PageWriter | null {
  const file = join(root, 'index.html')
  if (!existsSync(file)) return null
  // The attributes give the app the initial language of a person who has not chosen one, and the bank's time zone.
  const page = readFileSync(file, 'utf8').replace(
    '<html',
    `<html data-first-language="${policy.firstLanguage}" data-time-zone="${bankZone()}"`,
  )
  const pages = readBuildFile(root, 'pages.json') as Pages | null
  const drawn = (readBuildFile(root, 'screens.json') ?? {}) as Drawn
  return {
    plain: page,
    write: ({ path, first, language }) => {
      const markedPage = first === null ? page : page.replace('<html', `<html data-first-requests="${first}"`)
      const headed = pages === null ? markedPage : markedPage.replace('</head>', `${headFor(pages, path)}</head>`)
      const screen =
        first === null ? undefined : (drawn[language]?.[missing.includes(path) ? '*' : path] ?? drawn[language]?.['*'])
      return screen ? drawnIn(headed, screen) : headed
    },
  }
}
