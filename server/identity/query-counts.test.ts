import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOn } from '#server/platform/db/run.ts'
import {
  findCustomerByContact,
  findCustomerByEmailOrPhone,
  findCustomers,
} from '#server/identity/customers/customers.ts'
import { createSession, endSession, findSession } from '#server/identity/sessions/sessions.ts'
import { needsProof } from '#server/identity/step-up/step-up.ts'
import { tokenDigestOf, newToken } from '#server/platform/secrets/token.ts'
import { testDeps, type TestDeps, testClock } from '#server/test/bank.ts'
import { expectBatchesToAnswerAsSingles, type HostileCrowd, openHostileCrowd } from '#server/test/batches.ts'

let testBank: TestDeps
let crowd: HostileCrowd

beforeAll(async () => {
  testBank = await testDeps()
  crowd = await openHostileCrowd(testBank)
})
afterAll(() => testBank.close())

test('a batch of look-ups by contact finds the same as single look-ups', async () => {
  const find = (contact: (typeof crowd.contacts)[number]) => findCustomerByContact(testBank.deps, contact)
  await expectBatchesToAnswerAsSingles(find, crowd.contacts)
  const { victim, newcomer } = crowd.customers
  expect(await find({ kind: 'email', value: victim.email })).toEqual(victim)
  expect(await find({ kind: 'phone', value: '+447700900003' })).toEqual(newcomer)
})

test('a batch of look-ups by typed input finds the same as single look-ups', async () => {
  const spellings = crowd.contacts.flatMap(({ kind, value }) =>
    kind === 'email'
      ? [value, value.toUpperCase(), `Vera <${value}>`]
      : [value, value.replace('+', '00'), value.replace('+44', '0'), `tel:${value}`],
  )
  const askers = [{ phone: null }, { phone: '+447700900002' }, { phone: '+12125551234' }]
  const questions = spellings.flatMap((text) => askers.map((requester) => ({ text, asker: requester })))
  await expectBatchesToAnswerAsSingles(
    ({ text, asker: requester }) => findCustomerByEmailOrPhone(testBank.deps, text, requester),
    questions,
  )
})

test('a batch of look-ups by id finds the same as single look-ups', async () => {
  const ids = [...Object.values(crowd.customers).map(({ id }) => id), randomUUID()]
  for (const id of ids) {
    const [alone, together] = [await findCustomers(testBank.deps, [id]), await findCustomers(testBank.deps, ids)]
    expect(together.get(id)).toEqual(alone.get(id))
  }
})

test('a batch of look-ups of sessions finds the same as single look-ups', async () => {
  const { deps } = testBank
  const caller = { device: { browser: 'Test', system: null }, networkZone: 'internet' } as const
  const begin = async (customerId: string, clock: TestDeps['clock'] = deps.clock) =>
    (await createSession({ clock }, deps.db, { customerId, caller, method: 'password' })).session
  const sessions = []
  for (const { id } of Object.values(crowd.customers)) {
    sessions.push(await begin(id), await begin(id), await begin(id, testClock(new Date(0))))
  }
  await endSession(deps.db, sessions[0] ?? '')
  const unknown = tokenDigestOf(newToken())
  await expectBatchesToAnswerAsSingles((session) => findSession(deps, session), [...sessions, unknown])
})

test('a batch of look-ups of required proofs finds the same as single look-ups', async () => {
  const { deps } = testBank
  const { victim, email_thief: thief } = crowd.customers
  for (const { id } of [victim, thief]) {
    await runOn(deps.pool)(
      'INSERT INTO bank.two_factor (customer_id, secret, last_step, created_at) VALUES ($1, $2, 0, now())',
      [id, Buffer.from('sealed')],
    )
  }
  const ids = [...Object.values(crowd.customers).map(({ id }) => id), randomUUID()]
  await expectBatchesToAnswerAsSingles((id) => needsProof(deps, id), ids)
})
