import { lineNamed } from '#contract/wording.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGoals, goalsOf, moveToGoal } from '#server/savings/service.ts'
import { books, type Person, type PeopleServer, peopleServer } from '#server/test/people.ts'

let server: PeopleServer
let gil: Person

beforeAll(async () => {
  server = await peopleServer()
  gil = await server.person({ fullName: 'Gil Green', email: 'gil@example.com' })
  await gil.fund(100_00)
})
afterAll(async () => {
  await books(server)
  await server.close()
})

const goal = (name: string) => ({ name, icon: 'gift' as const, targetMinor: 500_00 })

test('goals keep the order they were made in, though two were made at once', async () => {
  await createGoals(server.deps, gil.customer.id, [goal('First'), goal('Second')])
  await Promise.all([
    createGoals(server.deps, gil.customer.id, [goal('Third')]),
    createGoals(server.deps, gil.customer.id, [goal('Fourth')]),
  ])
  const goals = await goalsOf(server.deps, gil.customer.id)
  expect(goals.map(({ name }) => name).slice(0, 2)).toEqual(['First', 'Second'])
  expect(new Set(goals.map(({ accountId }) => accountId)).size).toBe(4)
  expect((await gil.dashboard()).goal).toEqual({
    name: 'First',
    icon: 'gift',
    savedMinor: 0,
    targetMinor: 500_00,
    asset: 'USD',
  })
})

test('what is saved leaves the current account and is no spending', async () => {
  const [first] = await goalsOf(server.deps, gil.customer.id)
  const move = { id: randomUUID(), fingerprint: 'saving', goalId: first?.id ?? '', amountMinor: 30_00 }
  await Promise.all([moveToGoal(server.deps, gil.customer, move), moveToGoal(server.deps, gil.customer, move)])
  const { account, goal: shown } = await gil.dashboard()
  expect(account).toMatchObject({ availableMinor: 70_00, monthChangeMinor: 0 })
  expect(shown).toMatchObject({ name: 'First', savedMinor: 30_00 })
  expect((await gil.transactions())[0]).toMatchObject({
    name: lineNamed('First'),
    amountMinor: -30_00,
    category: 'savings',
  })
})

test('saving more than there is, or into another customer’s goal, is refused and writes nothing', async () => {
  const eve = await server.person({ fullName: 'Eve Else', email: 'eve@example.com' })
  const [first] = await goalsOf(server.deps, gil.customer.id)
  const before = await books(server)
  const refusal = (person: Person, amountMinor: number) =>
    moveToGoal(server.deps, person.customer, {
      id: randomUUID(),
      fingerprint: 'saving',
      goalId: first?.id ?? '',
      amountMinor,
    }).then(
      () => null,
      (error: { code: string }) => error.code,
    )
  expect(await refusal(gil, 70_01)).toBe('insufficient_funds')
  expect(await refusal(gil, -1)).toBe('amount_invalid')
  expect(await refusal(eve, 1)).toBe('not_found')
  expect(await books(server)).toEqual(before)
})
