import { describe, expect, it, vi } from 'vitest'
import { storeNext, pageAfterSignIn, signInPathFor, takeNext, withNext } from '#web/lib/sign-in-redirect.ts'

const pageFor = (next: string) => pageAfterSignIn(`?${new URLSearchParams({ next })}`)

it.each(['/transfer', '/transactions?category=food', '/claim?token=a-b_c', '/transactions#today'])(
  'redirects to %s',
  (next) => expect(pageFor(next)).toBe(next),
)

it('returns to the place that required signing in', () => {
  const { search } = new URL(signInPathFor({ pathname: '/claim', search: '?token=a&b=c d' }), 'http://localhost')
  expect(pageAfterSignIn(search)).toBe('/claim?token=a&b=c%20d')
})

it.each([
  '',
  'transfer',
  'https://elsewhere.example/',
  '//elsewhere.example/',
  '///elsewhere.example/',
  String.raw`/\elsewhere.example/`,
  String.raw`\\elsewhere.example/`,
  '/\t/elsewhere.example/',
  '/\n/elsewhere.example/',
  '/.//elsewhere.example/',
  '/a/..//elsewhere.example/',
  String.raw`/.\/elsewhere.example/`,
  ' //elsewhere.example/',
  'javascript:alert(1)',
  '//[',
  '/login?next=/transfer',
  '/login/',
  '/Login',
  '/SignUp//',
])('drops %j', (next) => expect(pageFor(next)).toBe('/dashboard'))

it('opens the dashboard without a requested place', () => expect(pageAfterSignIn('')).toBe('/dashboard'))

describe('during sign-up', () => {
  const claim = `?${new URLSearchParams({ next: '/claim?token=a&b=c' })}`

  it('keeps the requested place', () => {
    const address = withNext('/kyc', claim)
    expect(pageAfterSignIn(address.slice(address.indexOf('?')))).toBe('/claim?token=a&b=c')
  })

  it('adds nothing without a requested place, or for a foreign one', () => {
    expect(withNext('/kyc', '')).toBe('/kyc')
    expect(withNext('/kyc', '?next=https://evil.example')).toBe('/kyc')
  })

  it('does not return to the sign-in pages', () => expect(pageAfterSignIn('?next=/signup')).toBe('/dashboard'))

  it('keeps the place for the tab that confirms the email, once', () => {
    const storage = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
      removeItem: (key: string) => void storage.delete(key),
    })
    storeNext(claim)
    expect(pageAfterSignIn(takeNext())).toBe('/claim?token=a&b=c')
    expect(takeNext()).toBe('')
    vi.unstubAllGlobals()
  })

  it('works without storage', () => {
    vi.stubGlobal('localStorage', undefined)
    storeNext(claim)
    expect(takeNext()).toBe('')
    vi.unstubAllGlobals()
  })
})
