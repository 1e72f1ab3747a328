import { describe, expect, it, vi } from 'vitest'
import { keepNext, pageAfterSignIn, signInPathFor, takeNext, withNext } from '#web/lib/sign-in-redirect.ts'

const asked = (next: string) => pageAfterSignIn(`?${new URLSearchParams({ next })}`)

it.each(['/transfer', '/transactions?category=food', '/claim?token=a-b_c', '/transactions#today'])(
  'leads on to %s',
  (next) => expect(asked(next)).toBe(next),
)

it('leads back to where somebody was asked to sign in', () => {
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
])('drops %j', (next) => expect(asked(next)).toBe('/dashboard'))

it('leads to the dashboard where nothing was asked for', () => expect(pageAfterSignIn('')).toBe('/dashboard'))

describe('on the way through sign-up', () => {
  const claim = `?${new URLSearchParams({ next: '/claim?token=a&b=c' })}`

  it('keeps where somebody wanted to go', () => {
    const address = withNext('/kyc', claim)
    expect(pageAfterSignIn(address.slice(address.indexOf('?')))).toBe('/claim?token=a&b=c')
  })

  it('adds nothing where they wanted to go nowhere, or to a place that is not ours', () => {
    expect(withNext('/kyc', '')).toBe('/kyc')
    expect(withNext('/kyc', '?next=https://evil.example')).toBe('/kyc')
  })

  it('does not lead back to the sign-in pages', () => expect(pageAfterSignIn('?next=/signup')).toBe('/dashboard'))

  it('keeps it for the tab that confirms the email, once', () => {
    const kept = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    })
    keepNext(claim)
    expect(pageAfterSignIn(takeNext())).toBe('/claim?token=a&b=c')
    expect(takeNext()).toBe('')
    vi.unstubAllGlobals()
  })

  it('does without where nothing can be kept', () => {
    vi.stubGlobal('localStorage', undefined)
    keepNext(claim)
    expect(takeNext()).toBe('')
    vi.unstubAllGlobals()
  })
})
