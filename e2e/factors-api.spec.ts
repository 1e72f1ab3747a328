import { type CDPSession, expect, type Page, test } from '@playwright/test'
import type { ErrorCode } from '#contract/errors.ts'
import type { Me, PasskeyOptions, Security } from '#contract/identity.ts'
import { readFromBank } from './bank.ts'

/**
 * Gives the page a new passkey device. `known` is whether the device can verify its owner, and `looked` whether it does. Both
 * are true by default.
 */
async function giveDevice(page: Page, owner: { known?: boolean; looked?: boolean } = {}): Promise<Device> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: owner.known ?? true,
      isUserVerified: owner.looked ?? true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}
type Device = { cdp: CDPSession; authenticatorId: string }

type Answer<T> = { status: number; body: T & { error?: { code: ErrorCode } } }

/** Posts to the bank as its own page does. */
function post<T>(page: Page, path: string, body?: unknown): Promise<Answer<T>> {
  return page.evaluate(
    async ([address, text]) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
      const answer = await fetch(`/api/v1${address}`, { method: 'POST', headers, ...(text ? { body: text } : {}) })
      return { status: answer.status, body: await answer.json() }
    },
    [path, body === undefined ? '' : JSON.stringify(body)] as const,
  )
}

/** Makes the page's visitor a sample customer, on the smallest of the bank's pages. */
async function visit(page: Page): Promise<Me['customer']> {
  await page.goto('/')
  const { status, body } = await post<Me>(page, '/session/visit')
  expect(status).toBe(200)
  return body.customer
}

type RequestOptions = { credential: unknown; refused: string | null }

/** Makes the browser create a passkey or sign with one. `refused` is the name of the browser's error. */
function use(page: Page, operation: 'create' | 'get', options: PasskeyOptions['options']): Promise<RequestOptions> {
  return page.evaluate(
    async ([action, json]) => {
      const api = PublicKeyCredential
      try {
        const credential = await (action === 'create'
          ? navigator.credentials.create({ publicKey: api.parseCreationOptionsFromJSON(json as never) })
          : navigator.credentials.get({ publicKey: api.parseRequestOptionsFromJSON(json as never) }))
        return { credential: (credential as PublicKeyCredential).toJSON(), refused: null }
      } catch (error) {
        return { credential: null, refused: (error as Error).name }
      }
    },
    [operation, options] as const,
  )
}

async function addPasskey(page: Page): Promise<Answer<Security>> {
  const { body } = await post<PasskeyOptions>(page, '/passkeys/options')
  const { credential, refused } = await use(page, 'create', body.options)
  expect(refused).toBeNull()
  return post(page, '/passkeys', { oneTimeToken: body.oneTimeToken, response: credential })
}

/** Drops the customer's session cookie. */
const forget = (page: Page): Promise<void> => page.context().clearCookies()

test('a passkey is created and used to sign in, and the bank stores when it was used', async ({ page }) => {
  const customer = await visit(page)
  const { cdp, authenticatorId } = await giveDevice(page)
  const addAnswer = await addPasskey(page)
  expect(addAnswer.status).toBe(200)
  expect(addAnswer.body).toMatchObject({
    biometricLogin: true,
    passkeys: [{ name: expect.stringContaining('Chrom'), lastUsedAt: null }],
  })
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials).toMatchObject([{ rpId: 'localhost', isResidentCredential: true, userName: customer.email }])

  await forget(page)
  const { body } = await post<PasskeyOptions>(page, '/session/passkey/options')
  const { credential } = await use(page, 'get', body.options)
  const signedIn = await post<{ me: Me }>(page, '/session/passkey', {
    oneTimeToken: body.oneTimeToken,
    response: credential,
  })
  expect(signedIn).toMatchObject({ status: 200, body: { status: 'signed_in', me: { customer } } })
  expect((await readFromBank<Me>(page, '/me')).customer).toEqual(customer)
  const { passkeys } = await readFromBank<Security>(page, '/security')
  expect(passkeys[0]?.lastUsedAt).not.toBeNull()
})

test('a device does not offer a second passkey, and an authenticator without user verification creates and uses none', async ({
  page,
}) => {
  await visit(page)
  const { cdp, authenticatorId } = await giveDevice(page)
  expect((await addPasskey(page)).status).toBe(200)
  const { options } = (await post<PasskeyOptions>(page, '/passkeys/options')).body
  expect((await use(page, 'create', options)).refused).toBe('InvalidStateError')

  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  const { body } = await post<PasskeyOptions>(page, '/session/passkey/options')
  expect((await use(page, 'get', body.options)).refused).toBe('NotAllowedError')
  // A manipulated page requests no user verification, but the bank requires it.
  const { credential, refused } = await use(page, 'get', { ...body.options, userVerification: 'discouraged' })
  expect(refused).toBeNull()
  const answer = await post(page, '/session/passkey', { oneTimeToken: body.oneTimeToken, response: credential })
  expect([answer.status, answer.body.error?.code]).toEqual([422, 'passkey_refused'])

  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  await giveDevice(page, { known: false, looked: false })
  const newOptions = (await post<PasskeyOptions>(page, '/passkeys/options')).body
  expect((await use(page, 'create', newOptions.options)).refused).toBe('NotAllowedError')
  const selection = newOptions.options['authenticatorSelection'] as object
  const weakerOptions = {
    ...newOptions.options,
    authenticatorSelection: { ...selection, userVerification: 'discouraged' },
  }
  const createdPasskey = await use(page, 'create', weakerOptions)
  expect(createdPasskey.refused).toBeNull()
  const addAnswer = await post<Security>(page, '/passkeys', {
    oneTimeToken: newOptions.oneTimeToken,
    response: createdPasskey.credential,
  })
  expect([addAnswer.status, addAnswer.body.error?.code]).toEqual([422, 'passkey_refused'])
  expect((await readFromBank<Security>(page, '/security')).passkeys).toHaveLength(1)
})
