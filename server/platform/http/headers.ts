import { hash } from 'node:crypto'
import type { Origin } from '#server/platform/http/origin.ts'

/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>

const API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** Browser features: only what the app itself uses (identity photos, passkeys, copying), and only on its own pages. */
const PERMISSIONS = [
  'camera=(self)',
  'publickey-credentials-get=(self)',
  'publickey-credentials-create=(self)',
  'clipboard-write=(self)',
  ...['microphone', 'geolocation', 'payment', 'usb', 'serial', 'display-capture'].map((name) => `${name}=()`),
].join(', ')

/** Two years, as the preload lists of browsers ask. */
const HSTS = 'max-age=63072000; includeSubDomains'

/**
 * What every answer carries unless its handler says otherwise. As they stand they suit the API, which is neither
 * shown, framed nor kept; pages bring a content-security-policy and cache-control of their own.
 */
export function baseHeaders(config: Origin): Headers {
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
 * The policy of a page of our own. Scripts come from this server; one written into the page by our build is allowed
 * by its digest, and no other. Styles may be inline because toasts and dialogs insert theirs as they open. Pages of our own
 * alone may show it in a frame: the help center's pictures are such frames (docs/decisions/0422-live-pictures.md).
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
