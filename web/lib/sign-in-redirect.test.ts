import { expect, it } from 'vitest'
import { pageAfterSignIn, signInPathFor } from '#web/lib/sign-in-redirect.ts'

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
])('drops %j', (next) => expect(asked(next)).toBe('/dashboard'))

it('leads to the dashboard where nothing was asked for', () => expect(pageAfterSignIn('')).toBe('/dashboard'))
