import { hash } from 'node:crypto'
import type { PublicAddress } from '#server/platform/http/origin.ts'

/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>

const API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** Browser features: only those that the app uses (identity photos, passkeys, copying), and only on its own pages. */
const PERMISSIONS = [
  'camera=(self)',
  'publickey-credentials-get=(self)',
  'publickey-credentials-create=(self)',
  'clipboard-write=(self)',
  ...['microphone', 'geolocation', 'payment', 'usb', 'serial', 'display-capture'].map((name) => `${name}=()`),
].join(', ')

/** Two years. Browsers' preload lists require at least one year (hstspreload.org). */
const HSTS = 'max-age=63072000; includeSubDomains'

/**
 * Returns the default headers of every response; a handler may override them. They suit the API, whose responses are not
 * displayed, framed or cached. Pages have a separate content-security-policy and cache-control.
 */
export function baseHeaders(config: PublicAddress): Headers {
  return {
    'content-security-policy': API_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(config.origin?.startsWith('https:') ? { 'strict-transport-security': HSTS } : {}),
  }
}

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi

/**
 * Returns the content-security-policy of one of the bank's pages. Scripts must come from this server; an inline script of
 * the build is allowed by its digest. Inline styles are allowed because toasts and dialogs insert theirs when they open.
 * Only the bank's own pages may frame a page: the help center's pictures are such frames
 * (docs/decisions/0422-live-screens-in-help.md).
 */
export function pagePolicy(html: string): string {
  const inline = [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script]) => `'sha256-${hash('sha256', script ?? '', 'base64')}'`,
  )
  return [
    "default-src 'self'",
    ["script-src 'self'", ...inline].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-src 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
}
