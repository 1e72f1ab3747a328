import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCustomer } from '#server/identity/customers/customers.ts'
import {
  issueOneTimeToken,
  type OneTimeTokenKind,
  readOneTimeToken,
} from '#server/identity/sessions/one-time-tokens.ts'
import { testClock, testDeps, type TestDeps } from '#server/test/bank.ts'

const clock = testClock()
let testBank: TestDeps

beforeAll(async () => {
  testBank = await testDeps({ clock })
})
afterAll(() => testBank.close())

test('a customer who repeats a request keeps only the newest tokens of a kind, and affects no other customer', async () => {
  const { deps } = testBank
  const newcomer = async (email: string) => (await createCustomer(deps, { fullName: 'Ann Lee', email })).id
  const [ann, bob] = [await newcomer('ann@example.com'), await newcomer('bob@example.com')]
  const issue = (kind: OneTimeTokenKind, customerId: string | null) => {
    clock.set(new Date(clock.realNow().getTime() + 1_000))
    return issueOneTimeToken(deps, deps.db, kind, { customerId, content: {} })
  }
  const works = async (kind: OneTimeTokenKind, token = '') =>
    (await readOneTimeToken(deps, deps.db, kind, token)) !== null
  const otherTokens = { bobs: await issue('step_up', bob), setup: await issue('two_factor_setup', ann) }
  const nobodys = await issue('passkey_sign_in', null)
  const tokens: string[] = []
  for (let count = 0; count < 130; count += 1) tokens.push(await issue('step_up', ann))
  for (let count = 0; count < 30; count += 1) await issue('passkey_sign_in', null)

  const alive = await Promise.all(tokens.map((token) => works('step_up', token)))
  expect(alive).toEqual(tokens.map((_, index) => index >= 30))
  expect(await works('step_up', otherTokens.bobs)).toBe(true)
  expect(await works('two_factor_setup', otherTokens.setup)).toBe(true)
  expect(await works('passkey_sign_in', nobodys)).toBe(true)
})
