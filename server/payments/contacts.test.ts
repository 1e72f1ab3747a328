import { afterAll, beforeAll, test } from 'vitest'
import { addContacts, findContact } from '#server/payments/contacts.ts'
import { testDeps, type TestDeps } from '#server/test/bank.ts'
import { expectBatchesToAnswerAsSingles, openHostileCrowd } from '#server/test/batches.ts'

let opened: TestDeps

beforeAll(async () => {
  opened = await testDeps()
})
afterAll(() => opened.close())

test('a contact is that of whoever asks, in whatever company', async () => {
  const { deps, clock } = opened
  const { customers, contacts } = await openHostileCrowd(opened)
  const owners = Object.values(customers)
  const kept = contacts.filter((_contact, index) => index % 2 === 0)
  for (const owner of owners.slice(1)) {
    const people = kept.map(({ value }) => ({ name: `${owner.fullName}'s ${value}`, address: value }))
    await addContacts(
      deps,
      owner,
      people.map((one) => ({ ...one, usedAt: clock.businessNow() })),
    )
  }
  const questions = owners.flatMap(({ id: ownerId }) => contacts.map(({ value: address }) => ({ ownerId, address })))
  await expectBatchesToAnswerAsSingles((key) => findContact(deps, key), questions)
})
