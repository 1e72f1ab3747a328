import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GroupDetail } from '#contract/bills.ts'
import { auditTestBooks, expectRefusal, type TestPerson, peopleServer, type PeopleServer } from '#server/test/people.ts'

let server: PeopleServer
let ann: TestPerson
let ben: TestPerson
let cat: TestPerson
let dan: TestPerson

beforeAll(async () => {
  server = await peopleServer()
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  ben = await server.person({ fullName: 'Ben May', email: 'ben@example.com' })
  cat = await server.person({ fullName: 'Cat Orr', email: 'cat@example.com' })
  dan = await server.person({ fullName: 'Dan Poe', email: 'dan@example.com' })
  for (const person of [ann, ben, cat, dan]) await person.fund(500_00)
})
afterAll(() => server.close())

const people = (...names: string[]) => names.map((name) => ({ name, address: `${name.toLowerCase()}@example.com` }))
const groupOf = async (answer: Response): Promise<GroupDetail> => {
  expect(answer.status).toBe(200)
  return (await answer.json()).group
}
const openGroup = (person: TestPerson, name: string, ...names: string[]) =>
  person.browser.post('/api/v1/bill-groups', { name, people: people(...names) })
const readGroup = async (person: TestPerson, id: string) =>
  groupOf(await person.browser.get(`/api/v1/bill-groups/${id}`))
const act = (person: TestPerson, id: string, action: string, body?: object) =>
  person.browser.post(`/api/v1/bill-groups/${id}/${action}`, body)

/** Creates a group that all the named people have joined. */
async function openJoinedGroup(name: string, owner: TestPerson, ...otherPeople: TestPerson[]): Promise<GroupDetail> {
  const group = await groupOf(
    await owner.browser.post('/api/v1/bill-groups', {
      name,
      people: otherPeople.map(({ customer }) => ({ name: customer.fullName, address: customer.email })),
    }),
  )
  for (const other of otherPeople) await groupOf(await act(other, group.id, 'join'))
  return readGroup(owner, group.id)
}

const idIn = (group: GroupDetail, { customer }: TestPerson) =>
  group.members.find(({ name }) => name === customer.fullName)?.id ?? ''

/** Adds a bill that one member paid for others, in equal shares. */
async function addBill(group: GroupDetail, payer: TestPerson, totalMinor: number, ...otherPeople: TestPerson[]) {
  const bill = {
    totalMinor,
    asset: 'USD',
    division: 'equal',
    people: otherPeople.map((other) => ({ memberId: idIn(group, other) })),
  }
  return groupOf(await act(payer, group.id, 'bills', bill))
}

const balances = (group: GroupDetail) =>
  Object.fromEntries(group.members.map(({ name, balanceMinor }) => [name.split(' ')[0], balanceMinor]))

test('a group keeps a running balance and settles up with the fewest payments', async () => {
  const group = await openJoinedGroup('Trip', ann, ben, cat, dan)
  await addBill(group, ann, 80_00, ben, cat, dan)
  await addBill(group, ben, 40_00, ann, cat, dan)
  const standing = await addBill(group, cat, 10_00, dan)
  expect(balances(standing)).toEqual({ Ann: 50_00, Ben: 10_00, Cat: -25_00, Dan: -35_00 })
  expect(standing.settleUp).toHaveLength(3)
  const before = await auditTestBooks(server)
  const settledGroup = await groupOf(await act(dan, group.id, 'settle'))
  expect(await auditTestBooks(server)).toEqual(before)
  expect(settledGroup.asked).toHaveLength(3)
  for (const { requestId, fromId, amountMinor } of settledGroup.asked) {
    const payer = [cat, dan].find((person) => idIn(settledGroup, person) === fromId)
    const answer = await payer?.browser.post(`/api/v1/money-requests/${requestId}/payments`, {
      amountMinor,
      asset: 'USD',
    })
    expect(answer?.status).toBe(200)
  }
  const settled = await readGroup(ann, group.id)
  expect(Object.values(balances(settled))).toEqual([0, 0, 0, 0])
  expect(settled.asked).toEqual([])
  await expectRefusal(await act(ann, group.id, 'settle'), 'group_settled')
  await auditTestBooks(server)
})

test('a paid share counts, and settling up again requests only the rest', async () => {
  const group = await openJoinedGroup('Flat', ann, ben)
  await addBill(group, ann, 100_00, ben)
  const [first] = (await groupOf(await act(ann, group.id, 'settle'))).asked
  await ben.browser.post(`/api/v1/money-requests/${first?.requestId}/payments`, { amountMinor: 20_00, asset: 'USD' })
  expect(balances(await readGroup(ben, group.id))).toEqual({ Ann: 30_00, Ben: -30_00 })
  const again = await Promise.all([act(ann, group.id, 'settle'), act(ben, group.id, 'settle')])
  expect(again.map(({ status }) => status)).toEqual([200, 200])
  const { asked: requests } = await readGroup(ann, group.id)
  expect(requests.map(({ amountMinor }) => amountMinor)).toEqual([30_00])
  await expectRefusal(
    await ben.browser.post(`/api/v1/money-requests/${first?.requestId}/payments`, { amountMinor: 10_00, asset: 'USD' }),
    'request_not_open',
  )
})

test('an invited person joins or declines, and takes part only after joining', async () => {
  const group = await groupOf(await openGroup(ann, 'Lunch', 'Ben', 'Cat'))
  expect(group.members.map(({ name, joined: has }) => [name, has])).toEqual([
    ['Ann Lee', true],
    ['Ben', false],
    ['Cat', false],
  ])
  const bill = { totalMinor: 9_00, asset: 'USD', division: 'equal', people: [{ memberId: group.members[1]?.id }] }
  await expectRefusal(await act(ann, group.id, 'bills', bill), 'not_found', 'people')
  await expectRefusal(await act(ben, group.id, 'bills', bill), 'not_found')
  expect((await (await ben.browser.get('/api/v1/bill-groups')).json()).groups).toContainEqual(
    expect.objectContaining({ id: group.id, joined: false }),
  )
  await groupOf(await act(ben, group.id, 'join'))
  expect((await act(cat, group.id, 'leave')).status).toBe(204)
  expect((await readGroup(ann, group.id)).members.map(({ name }) => name)).toEqual(['Ann Lee', 'Ben May'])
  await expectRefusal(await cat.browser.get(`/api/v1/bill-groups/${group.id}`), 'not_found')
  await expectRefusal(await act(dan, group.id, 'join'), 'not_found')
})

test('a member with a debt or a claim cannot leave', async () => {
  const group = await openJoinedGroup('Gift', ann, ben)
  const { bills } = await addBill(group, ann, 10_00, ben)
  await expectRefusal(await act(ann, group.id, 'leave'), 'group_unsettled')
  await expectRefusal(await act(ben, group.id, 'leave'), 'group_unsettled')
  await expectRefusal(await act(ben, group.id, `bills/${bills[0]?.id}/remove`), 'not_found')
  expect(balances(await groupOf(await act(ann, group.id, `bills/${bills[0]?.id}/remove`)))).toEqual({ Ann: 0, Ben: 0 })
  expect((await act(ben, group.id, 'leave')).status).toBe(204)
  // A second invitation at the same address reuses Ben's member.
  await groupOf(await act(ann, group.id, 'members', { people: people('Ben') }))
  await expectRefusal(await act(ann, group.id, 'members', { people: people('Ben') }), 'people_twice', 'people')
  await groupOf(await act(ben, group.id, 'join'))
  expect(idIn(await readGroup(ann, group.id), ben)).toBe(idIn(group, ben))
})

test('a group that is empty, too large, has a person twice or only its founder is refused', async () => {
  await expectRefusal(await openGroup(ann, 'X'), 'people_missing', 'people')
  await expectRefusal(await openGroup(ann, 'X', 'Ben', 'BEN'), 'people_twice', 'people')
  await expectRefusal(await openGroup(ann, 'X', 'Ann'), 'recipient_is_self', 'people')
  const manyNames = Array.from({ length: 16 }, (_, index) => `p${index}`)
  await expectRefusal(await openGroup(ann, 'X', ...manyNames), 'people_too_many', 'people')
})

test('all members of a group receive its changes live', async () => {
  const group = await openJoinedGroup('Live', ann, ben)
  const heard: string[] = []
  const stop = server.deps.events.subscribe(ben.customer.id, (type) => heard.push(type))
  await addBill(group, ann, 10_00, ben)
  await expect.poll(() => heard).toContain('bill')
  stop()
})
