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
import { firstLanguage, manifestIn, pageIn, readManifest } from '#server/bank/web-app/page-language.ts'

/** The build puts a digest of its content into the name of everything in this folder, so it never changes. */
const HASHED = '/assets/*'
const FOR_EVER = 'public, max-age=31536000, immutable'
/** Kept, and asked about each time: the answer is 304 until it changes. */
const ASK_AGAIN = 'no-cache'
/** The same for what depends on who opens it: no cache that others share may keep it. */
const OWN = `private, ${ASK_AGAIN}`

/** The address of a file, by its ending or its folder. */
const FILE = /\.[a-z0-9]+$|^\/assets\//

/**
 * The page for when the bank is out of reach: a browser keeps it, so there is nothing in it of whoever is signed in. The app
 * sees by it that it was opened from what is kept.
 */
const SHELL = '/app-shell'

type WebOptions = {
  /** The folder of the built web app. */
  root: string
  /** Addresses of screens that this bank does not have. */
  missing: readonly string[]
  isSignedIn: (c: Context<ApiEnv>) => Promise<boolean>
}

/**
 * What the page asks first; `sign_in` where who opens it has to sign in before. A bank in trouble lets the page come, which
 * says so itself.
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
 * The built web app: its files and, for any other address a person may open, its one page. Where visitors do not become
 * customers by themselves, who is not signed in is led to sign in before a page of theirs is shown. The page is read
 * once, so a new build needs a new start. Without a build there is nothing to serve.
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
  const manifest = readManifest(root)
  /** Whoever speaks the language the app will begin in. */
  const speaker = (c: Context<ApiEnv>) => {
    // The same address has an answer in each language.
    c.header('vary', 'accept-language, cookie', { append: true })
    return deps.translations.in(firstLanguage(c, deps))
  }
  const kept = (cacheControl: string) =>
    serveStatic<ApiEnv>({
      root,
      precompressed: true,
      onFound(_path, c) {
        c.header('cache-control', cacheControl)
        // A worker lives by the policy its own file came with, and the app's must be able to fetch the page.
        c.header('content-security-policy', policy)
      },
    })
  return (
    app
      // A browser puts the headers of a 304 in the place of those it kept, so the policy must be among them.
      .use(compress(), etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'content-security-policy'] }))
      .get(HASHED, kept(FOR_EVER))
      .get('/manifest.webmanifest', (c, next) =>
        manifest
          ? c.body(JSON.stringify(manifestIn(manifest, speaker(c))), 200, {
              'content-type': 'application/manifest+json',
              'cache-control': ASK_AGAIN,
            })
          : next(),
      )
      .get('/:path{.+\\.[a-z0-9]+}', kept(ASK_AGAIN))
      .get(SHELL, (c) => c.html(shell, 200, { 'cache-control': ASK_AGAIN, 'content-security-policy': policy }))
      .get('*', async (c, next) => {
        // A script or a picture that is missing is missing; only a person's address gets the page.
        if (FILE.test(c.req.path) && !c.req.header('accept')?.includes('text/html')) return next()
        const first = await firstRequests(c, deps, isSignedIn)
        if (first === 'sign_in') {
          const { pathname, search } = new URL(c.req.url)
          c.header('cache-control', 'no-store')
          return c.redirect(signInPage(pathname + search))
        }
        const say = speaker(c)
        const page = pages.write({ path: c.req.path, first, language: languageOf(say.language) })
        return c.html(pageIn(page, say), 200, { 'cache-control': OWN, 'content-security-policy': policy })
      })
  )
}
