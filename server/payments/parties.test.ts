import { runOn } from '#server/platform/db/run.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isUnambiguousContact, readContact } from '#server/identity/customers/contact.ts'
import { findCustomerByContact } from '#server/identity/customers/customers.ts'
import { createSession, endSession, findSession } from '#server/identity/sessions/sessions.ts'
import { tokenDigestOf, newToken } from '#server/platform/secrets/token.ts'
import { needsProof } from '#server/identity/step-up/step-up.ts'
import { addContacts } from '#server/payments/contacts.ts'
import { findParties } from '#server/payments/parties.ts'
import { expectBatchesToAnswerAsSingles, type HostileCrowd, openHostileCrowd } from '#server/test/batches.ts'
import { testClock, type TestDeps, testDeps } from '#server/test/bank.ts'

let opened: TestDeps
let crowd: HostileCrowd
let sessions: string[]

/** Addresses as people type them: with and without a country, in capitals, by name. */
let texts: string[]

beforeAll(async () => {
  opened = await testDeps()
  crowd = await openHostileCrowd(opened)
  const { deps, clock } = opened
  const owners = Object.values(crowd.customers)
  const caller = { device: { browser: 'Test', system: null }, networkZone: 'internet' } as const
  const begin = async (customerId: string, at = clock) =>
    (await createSession({ clock: at }, deps.db, { customerId, caller, method: 'password' })).session
  sessions = []
  for (const owner of owners) {
    if (owner !== crowd.customers.twin_thief) sessions.push(await begin(owner.id))
    const contacts = crowd.contacts.filter((_contact, index) => index % 2 === 0)
    const usedAt = clock.businessNow()
    const people = contacts.map(({ value }) => ({ name: `${owner.fullName}'s ${value}`, address: value, usedAt }))
    if (owner !== crowd.customers.victim) await addContacts(deps.db, owner, people)
  }
  const { victim, mover } = crowd.customers
  const ended = await begin(victim.id)
  await endSession(deps.db, ended)
  sessions.push(ended, await begin(victim.id, testClock(new Date(0))), tokenDigestOf(newToken()))
  await runOn(deps.pool)(
    'INSERT INTO bank.two_factor (customer_id, secret, last_step, created_at) VALUES ($1, $2, 0, now())',
    [mover.id, Buffer.from('sealed')],
  )
  texts = crowd.contacts.map(({ kind, value }, index) => {
    if (kind === 'email') return index % 2 === 0 ? value : `Vera <${value.toUpperCase()}>`
    return index % 2 === 0 ? value : value.replace('+44', '0')
  })
  texts.push('neither')
})
afterAll(() => opened.close())

test('the parties to a payment are the same in any batch', async () => {
  const questions = sessions.flatMap((session) => texts.map((text) => ({ session, text })))
  await expectBatchesToAnswerAsSingles(({ session, text }) => findParties(opened.deps, session, text), questions)
})

test('the parties to a payment are the same as in separate queries', async () => {
  const { deps } = opened
  for (const session of sessions) {
    const sender = await findSession(deps, session)
    for (const text of texts) {
      const parties = await findParties(deps, session, text)
      if (!sender) {
        expect(parties).toBeNull()
        continue
      }
      const address = readContact(text, sender.phone)
      const recipient = address && (await findCustomerByContact(deps, address))
      const senderHasTwoFactor = await needsProof(deps, sender.id)
      expect(parties, text).toMatchObject({ sender, address, recipient, senderHasTwoFactor })
    }
  }
})

test('a text has the same meaning for all customers unless it is a phone number without a country code', () => {
  const askers = [null, '+12125551234', '+4915123456789', '+33612345678']
  for (const text of [...texts, '(0044) 7700 900001', 'tel:+447700900001', '０７７００ ９００００１', '2125550100']) {
    const read = new Set(askers.map((asker) => JSON.stringify(readContact(text, asker))))
    if (isUnambiguousContact(text)) expect([...read], text).toHaveLength(1)
  }
  expect(['a@example.com', '+447700900001', '00447700900001', '07700900001'].map(isUnambiguousContact)).toEqual([
    true,
    true,
    true,
    false,
  ])
})
