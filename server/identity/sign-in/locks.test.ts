import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { openApp } from '#server/test/authenticator-app.ts'
import { testClock } from '#server/test/bank.ts'
import type { Browser } from '#server/test/browser.ts'
import { expectRefusal, type PeopleServer, type TestPerson, peopleServer } from '#server/test/people.ts'
import { openPostOffice, type PostOffice } from '#server/test/post-office.ts'
import { securityEventKinds } from '#server/test/security-events.ts'
import { signInCookie } from '#server/test/sign-in.ts'

const PASSWORD = 'a long walk by the river'
const clock = testClock()
let server: PeopleServer
let post: PostOffice
let passwordHash: string
let ann: TestPerson
let bob: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock, config: { mode: 'live' } })
  post = await openPostOffice(server)
  passwordHash = await hashPassword(PASSWORD)
})
afterAll(async () => {
  await post.close()
  await server.close()
})
beforeEach(async () => {
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com`, passwordHash })
  bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com`, passwordHash })
  await ann.fund(100_00)
})

const signIn = (browser: Browser, password: string, { customer } = ann) =>
  browser.post('/api/v1/session', { email: customer.email, password })

/** Locks a person's sign-in, as anyone can who has the person's email. */
async function lockOut(person = ann): Promise<void> {
  const attacker = server.browser()
  for (let tries = 0; tries < 5; tries += 1)
    await expectRefusal(await signIn(attacker, `wrong ${tries}`, person), 'credentials_wrong')
  await expectRefusal(await signIn(attacker, PASSWORD, person), 'too_many_requests')
}

/** Requests a payment and returns it with its pending step-up. */
async function askToPay(browser: Browser) {
  const payment = { recipient: bob.customer.email, amountMinor: 5, asset: 'USD' }
  const refusal = await browser.post('/api/v1/transfers', payment)
  const token = refusal.headers.get(STEP_UP_HEADER) ?? ''
  await expectRefusal(refusal, 'step_up_required')
  return {
    prove: (proof: object) => browser.post(`/api/v1/step-ups/${token}`, proof),
    send: () => browser.post('/api/v1/transfers', payment, { headers: { [STEP_UP_HEADER]: token } }),
  }
}

const kinds = ({ customer } = ann) => securityEventKinds(server, customer.id)

describe('guessing passwords on the sign-in page', () => {
  test('does not stop a signed-in customer from paying', async () => {
    await lockOut()
    const step = await askToPay(ann.browser)
    expect((await step.prove({ password: PASSWORD })).status).toBe(204)
    expect((await step.send()).status).toBe(200)
    expect(await bob.balanceMinor()).toBe(5)
  })

  test('does not lock a device on which the customer has signed in before', async () => {
    const device = server.browser()
    expect((await signIn(device, PASSWORD)).status).toBe(200)
    expect((await device.delete('/api/v1/session')).status).toBe(204)
    await lockOut()
    expect((await signIn(device, PASSWORD)).status).toBe(200)
    // The attacker's lock stays active.
    await expectRefusal(await signIn(server.browser(), PASSWORD), 'too_many_requests')
  })

  test('gains nothing from a device on which another customer has signed in', async () => {
    const bobsBrowser = server.browser()
    expect((await signIn(bobsBrowser, PASSWORD, bob)).status).toBe(200)
    await lockOut()
    await expectRefusal(await signIn(bobsBrowser, PASSWORD), 'too_many_requests')
  })

  test('gains nothing from an altered cookie of a known device', async () => {
    const device = server.browser()
    expect((await signIn(device, PASSWORD, bob)).status).toBe(200)
    const cookie =
      device
        .cookie()
        .split('; ')
        .find((pair) => pair.startsWith('alder-device')) ?? ''
    expect(cookie).toMatch(/^alder-device-[0-9a-f]{8}=[\w.-]+$/)
    await lockOut(bob)
    const flipped = cookie.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))
    for (const forged of [flipped, cookie.slice(0, -4), `${cookie.split('=')[0]}=x.y`, `${cookie.split('=')[0]}=`])
      await expectRefusal(await signIn(server.browser(forged), PASSWORD, bob), 'too_many_requests')
    expect((await signIn(server.browser(cookie), PASSWORD, bob)).status).toBe(200)
  })
})

describe('a known device', () => {
  test('is locked by its own failures, which do not lock other devices', async () => {
    const device = server.browser()
    await signIn(device, PASSWORD)
    for (let tries = 0; tries < 5; tries += 1)
      await expectRefusal(await signIn(device, `wrong ${tries}`), 'credentials_wrong')
    await expectRefusal(await signIn(device, PASSWORD), 'too_many_requests')
    expect((await signIn(server.browser(), PASSWORD)).status).toBe(200)
  })

  test('is known to every customer who has signed in on it', async () => {
    const device = server.browser()
    expect((await signIn(device, PASSWORD)).status).toBe(200)
    expect((await signIn(device, PASSWORD, bob)).status).toBe(200)
    await lockOut()
    await lockOut(bob)
    expect((await signIn(device, PASSWORD)).status).toBe(200)
    expect((await signIn(device, PASSWORD, bob)).status).toBe(200)
  })

  test('counts a hundred simultaneous guesses as five', async () => {
    const device = server.browser()
    await signIn(device, PASSWORD)
    await server.deps.pool.query(`DELETE FROM bank.rate_limit WHERE key LIKE 'sign-in:%'`)
    const cookie = device.cookie()
    const guesses = Array.from({ length: 100 }, (_, index) => signIn(server.browser(cookie), `guess ${index}`))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 422)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(95)
  })
})

describe('failures at a step-up', () => {
  test("lock the step-up of that session, and neither the sign-in nor the customer's other devices", async () => {
    for (let tries = 0; tries < 5; tries += 1) {
      const step = await askToPay(ann.browser)
      await expectRefusal(await step.prove({ password: `wrong ${tries}` }), 'proof_refused')
    }
    const locked = await (await askToPay(ann.browser)).prove({ password: PASSWORD })
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(890)
    await expectRefusal(locked, 'too_many_requests')
    const elsewhere = server.browser(await signInCookie(server.deps, ann.customer.id))
    expect((await (await askToPay(elsewhere)).prove({ password: PASSWORD })).status).toBe(204)
    expect((await signIn(server.browser(), PASSWORD)).status).toBe(200)
    await post.settled()
    expect((await kinds()).filter((kind) => kind === 'sign_in_failed')).toEqual([])
    expect((await kinds()).filter((kind) => kind === 'password_locked')).toHaveLength(1)
    expect(await post.mailsTo(ann.customer.email)).toHaveLength(1)
  })
})

describe('the second factor', () => {
  async function switchOn(person: TestPerson) {
    const begunSetup = await person.browser.post('/api/v1/two-factor/setup')
    const token = begunSetup.headers.get(STEP_UP_HEADER) ?? ''
    await person.browser.post(`/api/v1/step-ups/${token}`, { password: PASSWORD })
    const setup = await person.browser.post('/api/v1/two-factor/setup', undefined, {
      headers: { [STEP_UP_HEADER]: token },
    })
    expect(setup.status).toBe(200)
    const { oneTimeToken, uri } = (await setup.json()) as { oneTimeToken: string; uri: string }
    const app = openApp(uri, clock)
    expect((await person.browser.post('/api/v1/two-factor', { oneTimeToken, code: app.code() })).status).toBe(200)
    clock.set(new Date(clock.realNow().getTime() + 30_000))
    return app
  }

  /** Signs in with the correct password and returns a function that sends the code. */
  async function halfIn(browser: Browser): Promise<(code: string) => Promise<Response>> {
    const { oneTimeToken } = (await (await signIn(browser, PASSWORD)).json()) as { oneTimeToken: string }
    return (code) => browser.post('/api/v1/session/second-factor', { oneTimeToken, code })
  }

  test('is not locked for a signed-in customer by another person who has the password', async () => {
    const app = await switchOn(ann)
    const attacker = await halfIn(server.browser())
    for (let tries = 0; tries < 5; tries += 1) await expectRefusal(await attacker('000000'), 'code_wrong', 'code')
    await expectRefusal(await (await halfIn(server.browser()))('000000'), 'too_many_requests')
    const step = await askToPay(ann.browser)
    expect((await step.prove({ code: app.code() })).status).toBe(204)
    await post.settled()
    expect((await post.mailsTo(ann.customer.email)).map(({ subject }) => subject)).toContain(
      'Sign-in codes are temporarily locked',
    )
  })

  test('is not locked for a known device either', async () => {
    const app = await switchOn(ann)
    const device = server.browser()
    expect((await (await halfIn(device))(app.code())).status).toBe(200)
    clock.set(new Date(clock.realNow().getTime() + 30_000))
    const attacker = await halfIn(server.browser())
    for (let tries = 0; tries < 5; tries += 1) await attacker('000000')
    await expectRefusal(await (await halfIn(server.browser()))(app.code()), 'too_many_requests')
    expect((await (await halfIn(device))(app.code())).status).toBe(200)
  })
})
