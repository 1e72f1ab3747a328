import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ERRORS } from '#contract/errors.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { open, findToast } from '#web/test/app.tsx'
import { bank, changeRequests, refusalAnswer, stepUpAnswer } from '#web/test/bank.ts'

const PAYEE = 'sarah.johnson@example.com'
const OPTIONS = { challenge: 'AAAA', rpId: 'localhost', allowCredentials: [], userVerification: 'required' }

const send = page.getByRole('button', { name: 'Send Money' })
const sheet = page.getByRole('dialog', { name: "Confirm it's you" })
const code = sheet.getByLabelText('Six-Digit Code')
const transfers = () => changeRequests().filter(({ path }) => path === '/transfers')

/** Sends 25 dollars. The bank requires a proof and then refuses the payment because of insufficient funds. */
async function pay(proofs: readonly ('passkey' | 'code')[]): Promise<void> {
  bank.post('/transfers', ({ headers }) =>
    headers.get(STEP_UP_HEADER) === 'step' ? refusalAnswer('insufficient_funds') : stepUpAnswer('step'),
  )
  bank.get('/step-ups/:token', { proofs: [...proofs], passkey: proofs.includes('passkey') ? OPTIONS : null })
  await open('/transfer')
  await page.getByLabelText('Amount').fill('25')
  await page.getByLabelText('Recipient').fill(PAYEE)
  await send.click()
  await expect.element(sheet).toBeVisible()
}

test('the amount and payee are named, a wrong code is refused, and the same request is sent with the proof', async () => {
  bank.post('/step-ups/:token', refusalAnswer('proof_refused'))
  await pay(['code'])
  await expect.element(sheet).toMatchTextContent('$25.00')
  await expect.element(sheet).toMatchTextContent(PAYEE)
  await expect.element(code).toHaveFocus()
  await code.fill('000000')
  await expect.element(code).toHaveAccessibleDescription(ERRORS.proof_refused.message)
  expect(transfers()).toHaveLength(1)
  bank.post('/step-ups/:token', {})
  await code.fill('123456')
  await expect.element(findToast(ERRORS.insufficient_funds.message)).toBeVisible()
  await expect.element(sheet).not.toBeInTheDocument()
  const [first, second] = transfers()
  expect(second?.key).toBe(first?.key)
  expect(second?.json).toEqual(first?.json)
  expect(transfers()).toHaveLength(2)
})

test('canceling sends no request, and shows no message', async () => {
  await pay(['code'])
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.element(send).toBeEnabled()
  await expect.element(send).toHaveFocus()
  await expect.poll(() => document.querySelectorAll('[data-sonner-toast]').length).toBe(0)
  expect(transfers()).toHaveLength(1)
  await send.click()
  await expect.element(sheet).toMatchTextContent('$25.00')
  // A prompt that waits while the customer leaves a screen appears later.
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
})

test('an unused passkey leaves the other ways available, and itself', async () => {
  const get = vi.spyOn(navigator.credentials, 'get').mockRejectedValue(new DOMException('', 'NotAllowedError'))
  await pay(['passkey', 'code'])
  await sheet.getByRole('button', { name: 'Use Passkey' }).click()
  await expect.element(sheet.getByRole('alert')).toHaveTextContent(ERRORS.passkey_cancelled.message)
  await sheet.getByRole('button', { name: 'Use Your Authenticator App Instead' }).click()
  await expect.element(code).toHaveFocus()
  await sheet.getByRole('button', { name: 'Use a Passkey Instead' }).click()
  const bytes = new Uint8Array([1, 2, 3]).buffer
  get.mockResolvedValue({
    id: 'AQID',
    rawId: bytes,
    type: 'public-key',
    authenticatorAttachment: null,
    response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes, userHandle: null },
    getClientExtensionResults: () => ({}),
  } as unknown as PublicKeyCredential)
  bank.post('/step-ups/:token', {})
  await sheet.getByRole('button', { name: 'Use Passkey' }).click()
  await expect.poll(() => changeRequests().map(({ path }) => path)).toContain('/step-ups/step')
  await expect.element(findToast(ERRORS.insufficient_funds.message)).toBeVisible()
  expect(changeRequests()).toContainEqual(
    expect.objectContaining({
      path: '/step-ups/step',
      json: { passkey: expect.objectContaining({ id: 'AQID', type: 'public-key' }) },
    }),
  )
})
