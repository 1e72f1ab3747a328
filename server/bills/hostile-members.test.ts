import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GroupDetail } from '#contract/bills.ts'
import type { MoneyRequest } from '#contract/requests.ts'
import { auditTestBooks, expectRefusal, type TestPerson, peopleServer, type PeopleServer } from '#server/test/people.ts'
import { doJobs } from '#server/test/post-office.ts'

let server: PeopleServer
let round = 0

beforeAll(async () => {
  server = await peopleServer()
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})

const person = (fullName: string, more: { phone?: string } = {}): Promise<TestPerson> => {
  round += 1
  return server.person({ fullName, email: `${fullName.split(' ')[0]?.toLowerCase()}${round}@example.com`, ...more })
}

const groupOf = async (answer: Response): Promise<GroupDetail> => {
  expect(answer.status).toBe(200)
  return (await answer.json()).group
}
const act = (caller: TestPerson, id: string, action: string, body?: object) =>
  caller.browser.post(`/api/v1/bill-groups/${id}/${action}`, body)
const readGroup = async (caller: TestPerson, id: string) =>
  groupOf(await caller.browser.get(`/api/v1/bill-groups/${id}`))
const openGroup = (caller: TestPerson, ...addresses: string[]) =>
  caller.browser.post('/api/v1/bill-groups', {
    name: 'Trip',
    people: addresses.map((address) => ({ name: 'X', address })),
  })

async function openJoinedGroup(owner: TestPerson, ...otherPeople: TestPerson[]): Promise<GroupDetail> {
  const { id } = await groupOf(await openGroup(owner, ...otherPeople.map(({ customer }) => customer.email)))
  for (const other of otherPeople) await groupOf(await act(other, id, 'join'))
  return readGroup(owner, id)
}

const idIn = (group: GroupDetail, { customer }: TestPerson) =>
  group.members.find(({ name }) => name === customer.fullName)?.id ?? ''

const bill = (group: GroupDetail, totalMinor: number, ...otherPeople: TestPerson[]) => ({
  totalMinor,
  asset: 'USD',
  division: 'amounts',
  people: otherPeople.map((other) => ({ memberId: idIn(group, other), amountMinor: totalMinor / otherPeople.length })),
  ownMinor: 0,
})

const sentBy = async (caller: TestPerson): Promise<MoneyRequest[]> =>
  (await (await caller.browser.get('/api/v1/money-requests')).json()).sent

test('bills beyond the payable maximum are refused, so that a group can always be read', async () => {
  const [mal, cat, vic] = [await person('Mal Orr'), await person('Cat Poe'), await person('Vic Lee')]
  const group = await openJoinedGroup(mal, cat)
  await groupOf(await act(mal, group.id, 'members', { people: [{ name: 'Vic', address: vic.customer.email }] }))
  for (let bills = 0; bills < 2; bills += 1)
    await expectRefusal(
      await act(mal, group.id, 'bills', bill(group, Number.MAX_SAFE_INTEGER, cat)),
      'amount_too_large',
      'totalMinor',
    )
  expect((await vic.browser.get('/api/v1/bill-groups')).status).toBe(200)
})

test('many groups that one customer opens at once delay no one', async () => {
  const [mal, vic] = [await person('Mal Orr'), await person('Vic Lee')]
  const addresses = Array.from({ length: 6 }, (_, index) => `nobody${index}@example.com`)
  const openings = Array.from({ length: 16 }, () => openGroup(mal, ...addresses))
  const started = performance.now()
  const answers = await Promise.all(Array.from({ length: 5 }, () => vic.browser.get('/api/v1/dashboard')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(performance.now() - started).toBeLessThan(10_000)
  for (const answer of await Promise.all(openings)) expect([200, 429]).toContain(answer.status)
})

test('settling up does not use up the request limit of other members', async () => {
  const [mal, vic, ben] = [await person('Mal Orr'), await person('Vic Lee'), await person('Ben May')]
  const group = await openJoinedGroup(mal, vic)
  await groupOf(await act(vic, group.id, 'bills', bill(group, 10_00, mal)))
  const statuses: number[] = []
  for (let times = 0; times < 25; times += 1) statuses.push((await act(mal, group.id, 'settle')).status)
  expect(new Set(statuses.slice(0, 20))).toEqual(new Set([200]))
  expect(new Set(statuses.slice(20))).toEqual(new Set([429]))
  const ask = (recipient: string) =>
    vic.browser.post('/api/v1/money-requests', { recipient, amountMinor: 1_00, asset: 'USD' })
  expect((await ask(mal.customer.email)).status).toBe(200)
  expect((await ask(ben.customer.email)).status).toBe(200)
})

test('settling up with a person does not reveal their email', async () => {
  const [mal, vic] = [await person('Mal Orr'), await person('Vic Lee', { phone: `+4477005${String(10_000 + round)}` })]
  const { id } = await groupOf(await openGroup(mal, vic.customer.phone ?? ''))
  await groupOf(await act(vic, id, 'join'))
  const group = await readGroup(mal, id)
  await groupOf(await act(mal, id, 'bills', bill(group, 10_00, vic)))
  await groupOf(await act(mal, id, 'settle'))
  const [request] = await sentBy(mal)
  expect(request?.name).toBe('Vic Lee')
  expect(await (await mal.browser.get('/api/v1/profile/export')).text()).not.toContain(vic.customer.email)
})

test('a debt too large for one request is requested up to the maximum', async () => {
  const [mal, cat, vic, ben] = [
    await person('Mal Orr'),
    await person('Cat Poe'),
    await person('Vic Lee'),
    await person('Ben May'),
  ]
  const maxMinor = server.deps.policy.limits.out.operationMinor
  const group = await openJoinedGroup(mal, cat, vic, ben)
  await groupOf(await act(mal, group.id, 'bills', bill(group, maxMinor, cat)))
  await groupOf(await act(mal, group.id, 'bills', bill(group, maxMinor, cat)))
  await groupOf(await act(vic, group.id, 'bills', bill(group, 10_00, ben)))
  const { asked: requests } = await groupOf(await act(vic, group.id, 'settle'))
  expect(requests.map(({ amountMinor }) => amountMinor).toSorted((a, b) => a - b)).toEqual([10_00, maxMinor])
})

const close = async (...people: TestPerson[]) => {
  for (const { browser } of people) expect((await browser.post('/api/v1/profile/closure', {})).status).toBe(204)
}

test('a debt with a closed customer cannot be settled, and does not keep members in the group', async () => {
  const [ann, cat] = [await person('Ann Lee'), await person('Cat Poe')]
  const group = await openJoinedGroup(ann, cat)
  await groupOf(await act(ann, group.id, 'bills', bill(group, 15_00, cat)))
  await expectRefusal(await act(ann, group.id, 'leave'), 'group_unsettled')
  await close(cat)
  expect(await readGroup(ann, group.id)).toMatchObject({ balanceMinor: 15_00, settleUp: [] })
  await expectRefusal(await act(ann, group.id, 'settle'), 'group_settled')
  expect((await act(ann, group.id, 'leave')).status).toBe(204)
})

test('settling up locks its people before it locks their requests', async () => {
  const [ann, ben] = [await person('Ann Lee'), await person('Ben May')]
  const group = await openJoinedGroup(ann, ben)
  await groupOf(await act(ann, group.id, 'bills', bill(group, 10_00, ben)))
  const [moneyRequest] = (await groupOf(await act(ann, group.id, 'settle'))).asked
  const lockingClient = await server.deps.pool.connect()
  await lockingClient.query('BEGIN')
  await lockingClient.query('SELECT FROM bank.customer WHERE id = $1 FOR NO KEY UPDATE', [ben.customer.id])
  const settled = act(ann, group.id, 'settle')
  const waitingQuery = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  // A statement that an earlier request left running may also wait here.
  await expect.poll(async () => (await server.deps.pool.query(waitingQuery)).rowCount).toBeGreaterThanOrEqual(1)
  await lockingClient.query('SELECT FROM bank.money_request WHERE id = $1 FOR UPDATE NOWAIT', [moneyRequest?.requestId])
  await lockingClient.query('COMMIT')
  lockingClient.release()
  await groupOf(await settled)
})

test('the present members settle among themselves before they settle with former members', async () => {
  const [ann, ben, cat, dan] = [
    await person('Ann Lee'),
    await person('Ben May'),
    await person('Cat Poe'),
    await person('Dan Orr'),
  ]
  const group = await openJoinedGroup(ann, ben, cat, dan)
  await groupOf(await act(ann, group.id, 'bills', bill(group, 15_00, cat)))
  await groupOf(await act(dan, group.id, 'bills', bill(group, 15_00, ben)))
  await close(dan)
  // Ben and Cat each owe the full amount that Ann is owed. One of them pays Ann, and the other then has no one left to pay.
  const owed = await readGroup(ann, group.id)
  expect(owed.settleUp).toHaveLength(1)
  expect(owed.settleUp).toMatchObject([{ toId: idIn(group, ann), amountMinor: 15_00 }])
  await expectRefusal(await act(ann, group.id, 'leave'), 'group_unsettled')
  const leaving = [ben, cat].find((member) => idIn(group, member) !== owed.settleUp[0]?.fromId)
  expect(leaving && (await act(leaving, group.id, 'leave')).status).toBe(204)
  expect((await readGroup(ann, group.id)).settleUp).toEqual(owed.settleUp)
  expect((await groupOf(await act(ann, group.id, 'settle'))).asked).toMatchObject(owed.settleUp)
})

test('a former member still gets the money that is owed to them, and does not keep others from leaving', async () => {
  const [ann, ben] = [await person('Ann Lee'), await person('Ben May')]
  for (const { fund } of [ann, ben]) await fund(50_00)
  const group = await openJoinedGroup(ann, ben)
  const { bills } = await groupOf(await act(ann, group.id, 'bills', bill(group, 10_00, ben)))
  const [moneyRequest] = (await groupOf(await act(ann, group.id, 'settle'))).asked
  const paymentRequest = { amountMinor: 10_00, asset: 'USD' }
  expect(
    (await ben.browser.post(`/api/v1/money-requests/${moneyRequest?.requestId}/payments`, paymentRequest)).status,
  ).toBe(200)
  expect((await act(ben, group.id, 'leave')).status).toBe(204)
  const owing = await groupOf(await act(ann, group.id, `bills/${bills[0]?.id}/remove`))
  const back = [{ fromId: idIn(group, ann), toId: idIn(group, ben), amountMinor: 10_00 }]
  expect(owing.settleUp).toEqual(back)
  expect((await groupOf(await act(ann, group.id, 'settle'))).asked).toMatchObject(back)
  expect((await act(ann, group.id, 'leave')).status).toBe(204)
})

test('a closed customer gets no request, sends none, and does not block settling up', async () => {
  const [leaver, owed, vic, ben] = [
    await person('Gus Orr'),
    await person('Oda Poe'),
    await person('Vic Lee'),
    await person('Ben May'),
  ]
  const group = await openJoinedGroup(vic, ben, leaver, owed)
  await groupOf(await act(vic, group.id, 'bills', bill(group, 10_00, leaver)))
  await groupOf(await act(owed, group.id, 'bills', bill(group, 7_00, ben)))
  await close(leaver, owed)
  // Ben's debt to the group goes to a member who is still in it.
  expect((await groupOf(await act(vic, group.id, 'settle'))).asked).toMatchObject([
    { fromId: idIn(group, ben), toId: idIn(group, vic), amountMinor: 7_00 },
  ])
  await groupOf(await act(vic, group.id, 'bills', bill(group, 20_00, ben)))
  const { asked: requests } = await groupOf(await act(ben, group.id, 'settle'))
  expect(requests).toMatchObject([{ fromId: idIn(group, ben), toId: idIn(group, vic) }])
})

test('a former member is invited and joins again', async () => {
  const [ann, vic] = [await person('Ann Lee'), await person('Vic Lee', { phone: `+4477005${String(10_000 + round)}` })]
  const group = await openJoinedGroup(ann, vic)
  expect((await act(vic, group.id, 'leave')).status).toBe(204)
  const again = { people: [{ name: 'Vic', address: vic.customer.phone }] }
  await groupOf(await act(ann, group.id, 'members', again))
  const back = await groupOf(await act(vic, group.id, 'join'))
  expect(back.members.map(({ name, joined: has }) => [name, has])).toEqual([
    ['Ann Lee', true],
    ['Vic Lee', true],
  ])
  await groupOf(await act(ann, group.id, 'bills', bill(back, 10_00, vic)))
  expect((await readGroup(vic, group.id)).balanceMinor).toBe(-10_00)
})

test('a former member is invited twice, at both addresses, and joins once', async () => {
  const [ann, ben] = [await person('Ann Lee'), await person('Ben May', { phone: `+4477005${String(10_000 + round)}` })]
  const group = await openJoinedGroup(ann, ben)
  expect((await act(ben, group.id, 'leave')).status).toBe(204)
  const again = [ben.customer.phone, ben.customer.email].map((address) => ({ name: 'Ben', address }))
  await groupOf(await act(ann, group.id, 'members', { people: again }))
  const back = await groupOf(await act(ben, group.id, 'join'))
  expect(back.members.map(({ id, name }) => [id, name])).toEqual(group.members.map(({ id, name }) => [id, name]))
  expect((await act(ben, group.id, 'leave')).status).toBe(204)
  await groupOf(await act(ann, group.id, 'members', { people: again }))
  // Declining one of two invitations declines both.
  expect((await act(ben, group.id, 'leave')).status).toBe(204)
  await expectRefusal(await ben.browser.get(`/api/v1/bill-groups/${group.id}`), 'not_found')
})

test('a former member joins again, even if another person was invited at their former address', async () => {
  const [ann, ben] = [await person('Ann Lee'), await person('Ben May', { phone: `+4477005${String(10_000 + round)}` })]
  const oldEmail = ben.customer.email
  const group = await openJoinedGroup(ann, ben)
  expect((await act(ben, group.id, 'leave')).status).toBe(204)
  await server.deps.pool.query('UPDATE bank.customer SET email = $2 WHERE id = $1', [
    ben.customer.id,
    `new.${oldEmail}`,
  ])
  const people = [
    { name: 'Dan', address: oldEmail },
    { name: 'Ben', address: ben.customer.phone },
  ]
  await groupOf(await act(ann, group.id, 'members', { people }))
  const back = await groupOf(await act(ben, group.id, 'join'))
  expect(back.members.map(({ name, joined: has }) => [name, has])).toEqual([
    ['Ann Lee', true],
    ['Ben May', true],
    ['Dan', false],
  ])
})

test('invitations are limited, and a blocked member cannot invite', async () => {
  const [mal, vic] = [await person('Mal Orr'), await person('Vic Lee')]
  const invited = async () => {
    await doJobs(server, 'bills.tell_invited')
    const { notices } = await (await vic.browser.get('/api/v1/notifications')).json()
    return notices.filter(({ kind }: { kind: string }) => kind === 'bill_group_invited').length
  }
  const statuses: number[] = []
  for (let times = 0; times < 15; times += 1) {
    const answer = await openGroup(mal, vic.customer.email)
    statuses.push(answer.status)
    if (answer.status === 200) await act(mal, (await groupOf(answer)).id, 'leave')
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), ...Array.from({ length: 5 }, () => 429)])
  expect(await invited()).toBe(10)
  const eve = await person('Eve Orr')
  const response = await eve.browser.post('/api/v1/money-requests', {
    recipient: vic.customer.email,
    amountMinor: 1_00,
    asset: 'USD',
  })
  const { request } = await response.json()
  expect((await vic.browser.post(`/api/v1/money-requests/${request.id}/block`, { report: false })).status).toBe(200)
  const { id } = await groupOf(await openGroup(eve, vic.customer.email))
  expect(await invited()).toBe(10)
  const { groups } = await (await vic.browser.get('/api/v1/bill-groups')).json()
  expect(groups.map((group: GroupDetail) => group.id)).not.toContain(id)
})
