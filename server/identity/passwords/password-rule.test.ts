import { describe, expect, test } from 'vitest'
import { checkNewPassword, passwordMeter } from '#server/identity/passwords/password-rule.ts'
import { policyFor } from '#server/bank/policy.ts'

const ann = { fullName: 'Ann Marie O’Leary', email: 'annie.oleary@example.com' }
const check = (mode: 'sample' | 'live', password: string) =>
  checkNewPassword({ policy: policyFor({ mode }) }, password, ann)

describe('a live bank', () => {
  test.each(['garden-lamp-42', 'my dog likes cheese', 'A7k#pq92Lmz!', 'ключ под ковром', '🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧'])(
    'accepts %j',
    async (password) => {
      await expect(check('live', password)).resolves.toBeUndefined()
    },
  )

  test.each([
    ['', 'empty'],
    ['eleven char', 'eleven'],
    ['🦊🐻🐼🐨🐯🦁', 'six, though twelve UTF-16 units'],
    ['e\u0301'.repeat(11), 'eleven, though twenty-two before they are composed'],
  ])('refuses %j as too short: %s', async (password) => {
    await expect(check('live', password)).rejects.toMatchObject({ code: 'password_too_short', field: 'password' })
  })

  test.each([
    'password1234',
    'P4ssw0rd!2026',
    'qwertyuiop123',
    '123456789012',
    'aaaaaaaaaaaaaaaaaaaaaaaa',
    'abcabcabcabcabcabc',
    'ｐａｓｓｗｏｒｄ１２３４',
    'marie-7kq!vz2p',
    'x7kq!annie.oleary',
    'AnnMarieO’Leary',
  ])('refuses %j as too easy', async (password) => {
    await expect(check('live', password)).rejects.toMatchObject({ code: 'password_common', field: 'password' })
  })

  test('is not slowed down by a very long password', async () => {
    await passwordMeter()
    for (const repeatedText of ['@4$5!1|0', 'ab1!', '19901231', 'p@ssw0rd']) {
      const startedAt = performance.now()
      await check('live', repeatedText.repeat(200 / repeatedText.length)).catch(() => undefined)
      expect(performance.now() - startedAt).toBeLessThan(2_000)
    }
  })
})

test.each(['a', ' ', 'password'])('a sample bank accepts %j', async (password) => {
  await expect(check('sample', password)).resolves.toBeUndefined()
})
