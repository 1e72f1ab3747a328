import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Device, Passkey, Security, SecurityEvent } from '#contract/identity.ts'
import { readAddress, open, pressByKey, findToast } from '#web/test/app.tsx'
import { recordedRequests, bank, changeRequests, delayedAnswer, refusalAnswer, stepUpAnswer } from '#web/test/bank.ts'

const switchNamed = (name: string) => page.getByRole('switch', { name })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const sheet = page.getByRole('dialog')
const twoFactor = switchNamed('Two-Factor Authentication')
const rows = page.getByRole('main').getByRole('listitem')
const sentRequests = () => changeRequests().map(({ method, path }) => `${method} ${path}`)

/** Opens the security screen for a customer with these settings. */
async function openSecurity(changes: Partial<Security> = {}): Promise<void> {
  await setSecurity(changes)
  await open('/security-privacy')
  await expect.element(switchNamed('Transaction Alerts')).toBeEnabled()
}

async function setSecurity(changes: Partial<Security>): Promise<Security> {
  const security = { ...(await bank.recorded('/security')), ...changes }
  bank.get('/security', security)
  return security
}

/** Collects copied texts. The clipboard of the browser is shared by all tests. */
function clipboard() {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  onTestFinished(() => writeText.mockRestore())
  return writeText
}

test('has the initial settings, and explains how secrets are stored', async () => {
  await openSecurity()
  await expect.element(switchNamed('Biometric Login')).toBeChecked()
  await expect.element(twoFactor).not.toBeChecked()
  await expect.element(switchNamed('Transaction Alerts')).toBeChecked()
  for (const name of ['Biometric Login', 'Two-Factor Authentication', 'Transaction Alerts'])
    await expect.element(switchNamed(name)).toHaveAccessibleDescription(/\w+ \w+/)
  await expect.element(page.getByText(/256-bit encryption/)).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect.poll(readAddress).toBe('/settings')
})

test.for([
  ['Biometric Login', 'biometricLogin'],
  ['Transaction Alerts', 'transactionAlerts'],
] as const)('a sample visitor switches %s off and on', async ([name, key]) => {
  await openSecurity()
  const profile = await bank.recorded('/profile')
  bank.patch('/preferences', async ({ json }) => {
    await setSecurity(json as Partial<Security>)
    return profile
  })
  await switchNamed(name).click()
  await expect.element(switchNamed(name)).not.toBeChecked()
  await expect.poll(() => recordedRequests.filter(({ path }) => path === '/security')).toHaveLength(2)
  await expect.element(switchNamed(name)).not.toBeChecked()
  await switchNamed(name).click()
  await expect.element(switchNamed(name)).toBeChecked()
  await expect.poll(() => recordedRequests.filter(({ path }) => path === '/security')).toHaveLength(3)
  await expect.element(switchNamed(name)).toBeChecked()
  expect(changeRequests()).toMatchObject([{ json: { [key]: false } }, { json: { [key]: true } }])
  // A visitor's switch creates no passkey.
  expect(sentRequests()).toEqual(['PATCH /preferences', 'PATCH /preferences'])
})

test('Manage Devices is for customers who can sign in on another', async () => {
  await openSecurity()
  const row = button(/^Manage Devices/)
  await expect.element(row).toMatchTextContent("You're signed in on this device only")
  // The row opens nothing, so it has no arrow.
  expect(row.element().querySelectorAll('svg')).toHaveLength(1)
  await row.click()
  await expect.element(findToast('Feature coming soon!')).toBeVisible()
  expect(document.querySelector('[data-sonner-toast]')).toHaveAttribute('data-type', 'info')
  expect(sheet.query()).toBeNull()
  expect(readAddress()).toBe('/security-privacy')
})

test('an account that still has holdings is not closed', async () => {
  bank.post('/profile/closure', refusalAnswer('units_left'))
  await openSecurity()
  await button(/^Close My Account/).click()
  await sheet.getByRole('button', { name: 'Keep My Account' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
  expect(sentRequests()).toEqual([])
  await button(/^Close My Account/).click()
  await sheet.getByRole('button', { name: 'Close My Account' }).click()
  await expect
    .element(sheet.getByRole('alert'))
    .toMatchTextContent('Please sell your investments before you close your account')
  await sheet.getByRole('link', { name: 'Invest' }).click()
  await expect.poll(readAddress).toBe('/invest')
})

describe('two-factor authentication', () => {
  const SETUP = {
    oneTimeToken: 'setup',
    uri: 'otpauth://totp/Alder:ada@example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Alder',
    secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  }
  const CODES = Array.from({ length: 10 }, (_, index) => `abcd-${index}234`)
  const confirm = page.getByRole('dialog', { name: "Confirm it's you" })
  const proofs = { proofs: ['code' as const], passkey: null }

  async function proveWith(recoveryCode: string): Promise<void> {
    await confirm.getByRole('button', { name: /recovery code/i }).click()
    await confirm.getByRole('textbox').fill(recoveryCode)
    await confirm.getByRole('button', { name: 'Confirm' }).click()
  }

  test('is set up by a code, a link or a key, and not switched on by a wrong code', async () => {
    bank.post('/two-factor/setup', SETUP)
    bank.post('/two-factor', refusalAnswer('code_wrong'))
    const writeText = clipboard()
    await openSecurity()
    await twoFactor.click()
    await expect.element(sheet.getByRole('img', { name: /^QR code/ })).toBeVisible()
    // A phone cannot scan its own screen, so a link precedes the code.
    const link = sheet.getByRole('link', { name: 'Open in Your Authenticator App' })
    await expect.element(link).toHaveAttribute('href', SETUP.uri)
    await sheet.getByRole('button', { name: 'Copy Key' }).click()
    await expect.poll(() => writeText.mock.calls).toEqual([[SETUP.secret]])
    await sheet.getByRole('textbox', { name: 'Code' }).fill('000000')
    await expect.element(sheet.getByText("That code isn't right. Please try the next one")).toBeVisible()
    expect(changeRequests().at(-1)).toMatchObject({ json: { oneTimeToken: 'setup', code: '000000' } })
    await sheet.getByRole('button', { name: 'Close' }).click()
    await expect.element(twoFactor).not.toBeChecked()
  })

  test('has recovery codes, which must be saved before continuing', async () => {
    bank.post('/two-factor/setup', SETUP)
    bank.post('/two-factor', async () => {
      await setSecurity({ twoFactor: true, recoveryCodesLeft: 10 })
      return { recoveryCodes: CODES }
    })
    const writeText = clipboard()
    await openSecurity()
    await twoFactor.click()
    await sheet.getByRole('textbox', { name: 'Code' }).fill('123456')
    await expect.element(findToast('Two-factor authentication is on')).toBeVisible()
    // The toast does not cover the next button.
    const savedButton = sheet.getByRole('button', { name: "I've Saved Them" })
    await savedButton.click({ trial: true, timeout: 2_500 })
    const codes = sheet.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    expect(codes.elements().map(({ textContent }) => textContent)).toEqual(CODES)
    await sheet.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect.poll(() => writeText.mock.calls.length).toBe(1)
    for (const code of CODES) expect(writeText.mock.calls[0]?.[0]).toContain(code)
    const files: Blob[] = []
    const createUrl = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      if (file instanceof Blob) files.push(file)
      return '#'
    })
    await sheet.getByRole('button', { name: 'Download' }).click()
    await expect.poll(() => files.length).toBe(1)
    const downloadedText = await files[0]?.text()
    for (const code of CODES) expect(downloadedText).toContain(code)
    createUrl.mockRestore()
    await userEvent.keyboard('{Escape}')
    await expect.element(sheet.getByRole('alert')).toMatchTextContent('Save your codes first')
    await savedButton.click()
    await expect.element(sheet).not.toBeInTheDocument()
    await expect.element(twoFactor).toBeChecked()
    await expect.element(button(/^Recovery Codes/)).toMatchTextContent('10 of 10 left')
  })

  test('stays on if the proof is canceled, and is switched off with one', async () => {
    bank.delete('/two-factor', ({ headers }) => {
      if (headers.get('step-up') !== 'token') return stepUpAnswer('token')
      void setSecurity({ twoFactor: false, recoveryCodesLeft: 0 })
      return {}
    })
    bank.get('/step-ups/:token', proofs)
    bank.post('/step-ups/:token', {})
    await openSecurity({ twoFactor: true, recoveryCodesLeft: 10 })
    await twoFactor.click()
    await sheet.getByRole('button', { name: 'Keep It On' }).click()
    await expect.element(twoFactor).toBeChecked()
    expect(sentRequests()).toEqual([])
    await twoFactor.click()
    await button('Turn Off').click()
    await confirm.getByRole('button', { name: 'Close' }).click()
    await expect.element(confirm).not.toBeInTheDocument()
    await expect.element(button('Turn Off')).toBeEnabled()
    expect(page.getByRole('alert').query()).toBeNull()
    expect(sentRequests()).toEqual(['DELETE /two-factor'])

    await button('Turn Off').click()
    await proveWith(CODES[0] ?? '')
    await expect.element(findToast('Two-factor authentication is off')).toBeVisible()
    expect(changeRequests().slice(2)).toMatchObject([
      { method: 'POST', path: '/step-ups/token', json: { code: CODES[0] } },
      { method: 'DELETE', path: '/two-factor' },
    ])
    await expect.element(twoFactor).not.toBeChecked()
  })

  test('has new recovery codes after a proof', async () => {
    bank.post('/two-factor/recovery-codes', ({ headers }) =>
      headers.get('step-up') === 'token' ? { recoveryCodes: CODES } : stepUpAnswer('token'),
    )
    bank.get('/step-ups/:token', proofs)
    bank.post('/step-ups/:token', {})
    await openSecurity({ twoFactor: true, recoveryCodesLeft: 2 })
    await button(/^Recovery Codes/).click()
    await sheet.getByRole('button', { name: 'Get New Codes' }).click()
    await proveWith('old-code')
    const codes = sheet.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await expect.poll(() => codes.elements().map(({ textContent }) => textContent)).toEqual(CODES)
    await sheet.getByRole('button', { name: "I've Saved Them" }).click()
    await expect.element(sheet).not.toBeInTheDocument()
  })
})

describe('passkeys', () => {
  const PASSKEY: Passkey = {
    id: 'd0f6a3f2-6b1e-4c57-9c1d-3f7f5a7e0001',
    credentialId: 'AAAA',
    name: 'Chrome on Linux',
    createdAt: '2026-08-01T10:00:00.000Z',
    lastUsedAt: null,
    synced: false,
  }
  const OPTIONS = {
    oneTimeToken: 'token',
    options: {
      challenge: 'AAAA',
      rp: { id: 'localhost', name: 'Alder' },
      user: { id: 'AAAA', name: 'ada@example.com', displayName: 'Ada' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    },
  }
  const readRemembered = () => localStorage.getItem('alder.passkey')

  /** Mocks the device: it creates a passkey or fails with this error. */
  function device(answer: 'makes one' | DOMException): void {
    const bytes = new ArrayBuffer(3)
    const newPasskey = {
      id: 'AAAA',
      rawId: bytes,
      type: 'public-key',
      response: { clientDataJSON: bytes, attestationObject: bytes, getTransports: () => ['internal'] },
      getClientExtensionResults: () => ({}),
    }
    const create = vi.spyOn(navigator.credentials, 'create')
    if (answer === 'makes one') create.mockResolvedValue(newPasskey)
    else create.mockRejectedValue(answer)
    onTestFinished(() => create.mockRestore())
  }

  test('are created, listed and removed, and the switch removes them all', async () => {
    bank.post('/passkeys/options', OPTIONS)
    bank.post('/passkeys', () => setSecurity({ passkeys: [PASSKEY], biometricLogin: true }))
    device('makes one')
    await openSecurity()
    await button(/^Add a Passkey/).click()
    await expect.element(findToast('Passkey added')).toBeVisible()
    await expect.element(button('Remove Chrome on Linux')).toBeVisible()
    await expect.element(page.getByText(/never used/)).toBeVisible()
    expect(readRemembered()).not.toBeNull()

    device(new DOMException('There is one', 'InvalidStateError'))
    await pressByKey(button('Add Another Passkey'))
    await expect.element(findToast('This device already has a passkey for Alder')).toBeVisible()

    const biometric = switchNamed('Biometric Login')
    await biometric.click()
    await pressByKey(button('Keep It On'))
    await expect.element(biometric).toBeChecked()
    expect(sentRequests()).toEqual(['POST /passkeys/options', 'POST /passkeys', 'POST /passkeys/options'])

    // A sample bank keeps a visitor's switch on without any passkey, so the app also turns it off.
    const profile = await bank.recorded('/profile')
    bank.delete('/passkeys/:id', () => setSecurity({ passkeys: [], biometricLogin: true }))
    bank.patch('/preferences', async () => {
      await setSecurity({ passkeys: [], biometricLogin: false })
      return profile
    })
    await biometric.click()
    await pressByKey(button('Turn Off'))
    await expect.element(findToast('Passkey removed')).toBeVisible()
    await expect.element(biometric).not.toBeChecked()
    await expect
      .poll(() => changeRequests().slice(3))
      .toMatchObject([
        { method: 'DELETE', path: `/passkeys/${PASSKEY.id}` },
        { method: 'PATCH', json: { biometricLogin: false } },
      ])
    await expect.element(biometric).not.toBeChecked()
    expect(readRemembered()).toBeNull()
  })

  test('of a customer with a password are created by the switch and removed in their row', async () => {
    bank.post('/passkeys/options', OPTIONS)
    bank.post('/passkeys', () => setSecurity({ hasPassword: true, passkeys: [PASSKEY], biometricLogin: true }))
    bank.delete('/passkeys/:id', () => setSecurity({ hasPassword: true, passkeys: [], biometricLogin: false }))
    device('makes one')
    await openSecurity({ hasPassword: true, biometricLogin: false })
    await switchNamed('Biometric Login').click()
    await expect.element(findToast('Passkey added')).toBeVisible()
    await expect.element(switchNamed('Biometric Login')).toBeChecked()
    await pressByKey(button('Remove Chrome on Linux'))
    await pressByKey(sheet.getByRole('button', { name: 'Remove', exact: true }))
    await expect.element(findToast('Passkey removed')).toBeVisible()
    expect(changeRequests().at(-1)).toMatchObject({ method: 'DELETE', path: `/passkeys/${PASSKEY.id}` })
    await expect.element(switchNamed('Biometric Login')).not.toBeChecked()
  })

  test('are not created if the device refuses', async () => {
    bank.post('/passkeys/options', OPTIONS)
    device(new DOMException('Not now', 'NotAllowedError'))
    await openSecurity()
    await button(/^Add a Passkey/).click()
    await expect.element(findToast('No passkey was created')).toBeVisible()
    await expect.element(button(/^Add a Passkey/)).toBeEnabled()
    expect(sentRequests()).toEqual(['POST /passkeys/options'])
  })
})

describe('devices and activity', () => {
  const device = (id: string, current: boolean): Device => ({
    id,
    device: { browser: 'Chromium', system: 'Linux' },
    networkZone: 'this_computer',
    signedInAt: '2026-08-01T10:00:00.000Z',
    lastUsedAt: '2026-08-01T10:00:00.000Z',
    current,
  })

  test('other devices are listed and signed out, individually and together', async () => {
    let devices = [device('here', true), device('second', false), device('third', false)]
    bank.get('/sessions', () => ({ devices }))
    bank.delete('/sessions/:id', ({ params }) => {
      devices = devices.filter(({ id }) => id !== params['id'])
      return {}
    })
    bank.delete('/sessions', () => {
      devices = devices.filter(({ current }) => current)
      return { devices }
    })
    await openSecurity({ hasPassword: true })
    await page.getByRole('link', { name: /^Manage Devices/ }).click()
    await expect.poll(readAddress).toBe('/security-privacy/devices')
    const main = page.getByRole('main')
    await expect.element(main).toMatchTextContent(/Chromium.*This computer.*signed in on Aug 1/)
    await expect.poll(() => page.getByText(/This computer/).elements().length).toBe(3)
    await button(/^Sign Out Chrom/)
      .first()
      .click()
    await expect.element(findToast('Device signed out')).toBeVisible()
    await expect.poll(() => button(/^Sign Out Chrom/).elements().length).toBe(1)
    await pressByKey(button('Sign Out All Other Devices'))
    await expect.element(button('Sign Out All Other Devices')).not.toBeInTheDocument()
    await expect.element(findToast('Other devices signed out')).toBeVisible()
    expect(sentRequests()).toEqual(['DELETE /sessions/second', 'DELETE /sessions'])
    await expect.element(page.getByText("You're not signed in anywhere else")).toBeVisible()
    await page.getByRole('link', { name: 'Back' }).click()
    await expect.poll(readAddress).toBe('/security-privacy')
  })

  const event = (id: string, time: Date): SecurityEvent => ({
    id,
    kind: id === '1' ? 'other_devices_signed_out' : 'details_changed',
    device: { browser: 'Chromium', system: 'Linux' },
    networkZone: 'this_computer',
    at: time.toISOString(),
  })

  test('activity is grouped by day, and continues page by page', async () => {
    const now = new Date()
    const nextPage = Promise.withResolvers<void>()
    bank.get('/security-events', ({ query }) =>
      query.get('cursor') === 'next'
        ? delayedAnswer(nextPage.promise, { events: [event('3', now)], nextCursor: null })
        : { events: [event('1', now), event('2', now)], nextCursor: 'next' },
    )
    await openSecurity()
    await page.getByRole('link', { name: /^Security Activity/ }).click()
    await expect.poll(readAddress).toBe('/security-privacy/activity')
    const today = page.getByRole('region', { name: 'Today' })
    await expect.element(today.getByRole('listitem').first()).toMatchTextContent('Other devices signed out')
    await expect.poll(() => rows.elements().length).toBe(2)
    await button('Show More').click()
    nextPage.resolve()
    await expect.poll(() => rows.elements().length).toBe(3)
    await expect.element(button('Show More')).not.toBeInTheDocument()
  })

  test('a customer without activity sees their current device', async () => {
    bank.get('/security-events', { events: [], nextCursor: null })
    bank.get('/sessions', { devices: [device('here', true)] })
    await open('/security-privacy/activity')
    await expect.element(page.getByText('Nothing here yet')).toBeVisible()
    await expect.element(page.getByRole('main')).toMatchTextContent(/Chromium.*This computer/)
  })
})
