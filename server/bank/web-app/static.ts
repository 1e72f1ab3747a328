import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { Refusal } from '#contract/errors.ts'
import { languageOf } from '#contract/languages.ts'
import { PUBLIC_PAGES, signInPage } from '#contract/pages.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { refusalResponse } from '#server/platform/http/errors.ts'
import { pagePolicy } from '#server/platform/http/headers.ts'
import { openPages } from '#server/bank/web-app/page.ts'
import { firstLanguage, translateManifest, translatePage, readWebManifest } from '#server/bank/web-app/page-language.ts'

/** The build puts a content digest into each file name in this folder, so the files never change. */
const HASHED = '/assets/*'
const FOR_EVER = 'public, max-age=31536000, immutable'
/** A browser caches the file but revalidates it before each use. The response is 304 until the file changes. */
const ASK_AGAIN = 'no-cache'
/** The same header for content that depends on the visitor. Shared caches may not store such content. */
const OWN = `private, ${ASK_AGAIN}`

/** Matches the path of a file, by its extension or its folder. */
const FILE = /\.[a-z0-9]+$|^\/assets\//

/**
 * The path of the page that a browser uses while the bank cannot be reached. The browser caches this page, so the page contains
 * nothing about the signed-in customer. An attribute of the page tells the app that it was opened from the cache.
 */
const SHELL = '/app-shell'

type WebOptions = {
  /** The folder of the built web app. */
  root: string
  /** The paths of screens that this bank does not have. */
  missing: readonly string[]
  isSignedIn: (c: Context<ApiEnv>) => Promise<boolean>
}

/**
 * Returns the page's first requests, or `sign_in` if the visitor must sign in first. Returns null if the bank is in trouble.
 * The page then still loads, and the app shows the error.
 */
async function firstRequests(c: Context<ApiEnv>, deps: Deps, isSignedIn: WebOptions['isSignedIn']) {
  if (PUBLIC_PAGES.has(c.req.path)) return c.req.path === '/' ? 'nothing' : 'session'
  c.set('deps', deps)
  return isSignedIn(c).then(
    (signedIn) => (signedIn ? 'open' : deps.policy.visitorsGetSampleCustomer ? 'visit' : 'sign_in'),
    () => null,
  )
}

/**
 * Serves the built web app. The files of the app have their own paths, and every other path that a person may open has the one
 * page. In a bank without sample customers, a visitor without a session who opens a private page is redirected to the sign-in
 * page. The page is read only once, so a new build requires a restart. Without a build, nothing is served.
 */
export function webRoutes(deps: Deps, { root, missing, isSignedIn }: WebOptions): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>()
    .notFound((c) => refusalResponse(c, new Refusal('not_found')))
    .onError((error) => {
      throw error
    })
  const pages = openPages(deps, { root, missing })
  if (!pages) return app
  const policy = pagePolicy(pages.plain)
  const shell = pages.plain.replace('<html', '<html data-kept')
  const manifest = readWebManifest(root)
  /** Returns the translator for the language in which the app will start. */
  const speaker = (c: Context<ApiEnv>) => {
    // The response at an address depends on the language.
    c.header('vary', 'accept-language, cookie', { append: true })
    return deps.translations.in(firstLanguage(c, deps))
  }
  const cached = (cacheControl: string) =>
    serveStatic<ApiEnv>({
      root,
      precompressed: true,
      onFound(_path, c) {
        c.header('cache-control', cacheControl)
        // A service worker uses the content security policy that was sent with its own file. The policy must allow the app's
        // worker to fetch the page.
        c.header('content-security-policy', policy)
      },
    })
  return (
    app
      // A browser replaces its cached headers with the headers of a 304 response, so this response must contain the policy.
      .use(compress(), etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'content-security-policy'] }))
      .get(HASHED, cached(FOR_EVER))
      .get('/manifest.webmanifest', (c, next) =>
        manifest
          ? c.body(JSON.stringify(translateManifest(manifest, speaker(c))), 200, {
              'content-type': 'application/manifest+json',
              'cache-control': ASK_AGAIN,
            })
          : next(),
      )
      .get('/:path{.+\\.[a-z0-9]+}', cached(ASK_AGAIN))
      .get(SHELL, (c) => c.html(shell, 200, { 'cache-control': ASK_AGAIN, 'content-security-policy': policy }))
      .get('*', async (c, next) => {
        // A missing script or picture results in an error 404. Only a path that a person opens results in the page.
        if (FILE.test(c.req.path) && !c.req.header('accept')?.includes('text/html')) return next()
        const first = await firstRequests(c, deps, isSignedIn)
        if (first === 'sign_in') {
          const { pathname, search } = new URL(c.req.url)
          c.header('cache-control', 'no-store')
          return c.redirect(signInPage(pathname + search))
        }
        const translator = speaker(c)
        const page = pages.write({ path: c.req.path, first, language: languageOf(translator.language) })
        return c.html(translatePage(page, translator), 200, { 'cache-control': OWN, 'content-security-policy': policy })
      })
  )
}
