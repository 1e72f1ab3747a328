import { expect, test } from 'vitest'
import { hashPassword, isOutdated, verifyPassword } from '#server/identity/passwords/passwords.ts'

/**
 * The vector is from the tests of Argon2's reference implementation (github.com/P-H-C/phc-winner-argon2, src/test.c): 64 MiB, 2
 * passes.
 */
const REFERENCE = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'

test('a hash is a PHC string with its parameters, and differs for each hashing', async () => {
  const [firstHash, secondHash] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(firstHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(firstHash).not.toBe(secondHash)
  expect(await verifyPassword('correct horse', firstHash)).toBe(true)
  expect(await verifyPassword('correct horse ', firstHash)).toBe(false)
  expect(isOutdated(firstHash)).toBe(false)
})

test('a hash with other parameters is verified with them, and marked as outdated', async () => {
  expect(await verifyPassword('password', REFERENCE)).toBe(true)
  expect(await verifyPassword('Password', REFERENCE)).toBe(false)
  expect(isOutdated(REFERENCE)).toBe(true)
})

test('a password is the same for every Unicode composition of its letters', async () => {
  const hash = await hashPassword('Z\u00fcrich \u2460')
  expect(await verifyPassword('Zu\u0308rich 1', hash)).toBe(true)
  expect(await verifyPassword('Zurich 1', hash)).toBe(false)
})

test('no password matches a missing hash', async () => {
  expect(await verifyPassword('', null)).toBe(false)
  expect(await verifyPassword('correct horse', null)).toBe(false)
})

test('a hash in another format is not compared', async () => {
  await expect(verifyPassword('x', '$2b$10$abcdefghijklmnopqrstuv')).rejects.toThrow('not a hash of ours')
})
