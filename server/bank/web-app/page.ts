import { bankZone } from '#server/platform/time-zone.ts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '#contract/languages.ts'
import { readJson } from '#server/platform/http/built.ts'
import type { Deps } from '#server/platform/deps.ts'

/** What the build says each page needs at once (vite/pages.ts). */
type Pages = { screens: Record<string, { scripts: string[]; styles: string[] }>; font: string }

/**
 * How each screen looks before the bank has said anything, and what of the API it asks for meanwhile (vite/prerender.ts).
 */
type DrawnScreen = { title: string; html: string; asks: string[] }

type Drawn = Partial<Record<string, Partial<Record<string, DrawnScreen>>>>

/**
 * What the page asks the bank first, before the app's own code has come (web/public/boot.js). open: for the customer who is
 * signed in. visit: to be made a customer. session: who is signed in, if anybody.
 */
export type FirstRequests = 'open' | 'visit' | 'session' | 'nothing'

export type PageWriter = {
  /** The page as it was built, whoever asks for it. */
  plain: string
  /** The page for an address; `first` is null where the bank is in trouble, and the app has to find out. */
  write(page: { path: string; first: FirstRequests | null; language: Language }): string
}

/** What a page needs at once is named in its head: a browser fetches it without waiting for the script that wants it. */
function headFor({ screens, font }: Pages, path: string): string {
  const { scripts, styles } = screens[path] ?? screens['*'] ?? { scripts: [], styles: [] }
  return [
    `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`,
    ...styles.map((file) => `<link rel="stylesheet" href="/${file}">`),
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ].join('')
}

/**
 * Nothing of a drawn screen can be pressed until the app has taken its place; but it is there to see first, so what it is
 * painted with is fetched before the app's code.
 */
const drawnIn = (page: string, { title, html, asks }: DrawnScreen): string =>
  page
    .replaceAll(/<script type="module"|<link rel="modulepreload"/g, '$& fetchpriority="low"')
    .replace('<html', `<html data-drawn data-first-data="${asks.join(' ')}"`)
    .replace(/<title>[^<]*/, () => `<title>${title}`)
    .replace('<div id="root">', () => `<div id="root" inert aria-busy="true">${html}`)

/** Reads the built page in `root`, once: a new build needs a new start. Null without a build. `missing`: screens that this bank does not have. */
export function openPages(
  { policy }: Pick<Deps, 'policy'>,
  { root, missing }: { root: string; missing: readonly string[] },
): PageWriter | null {
  const file = join(root, 'index.html')
  if (!existsSync(file)) return null
  // Tells the app which language it begins in for somebody who has chosen none.
  const plain = readFileSync(file, 'utf8').replace(
    '<html',
    `<html data-first-language="${policy.firstLanguage}" data-time-zone="${bankZone()}"`,
  )
  const pages = readJson(root, 'pages.json') as Pages | null
  const drawn = (readJson(root, 'screens.json') ?? {}) as Drawn
  return {
    plain,
    write: ({ path, first, language }) => {
      const asking = first === null ? plain : plain.replace('<html', `<html data-first-requests="${first}"`)
      const headed = pages === null ? asking : asking.replace('</head>', `${headFor(pages, path)}</head>`)
      const screen =
        first === null ? undefined : (drawn[language]?.[missing.includes(path) ? '*' : path] ?? drawn[language]?.['*'])
      return screen ? drawnIn(headed, screen) : headed
    },
  }
}
