import { expect, it } from 'vitest'
import { stepUpReasonFor } from '#web/identity/step-up/step-up-reason.ts'

const ID = '0198f0a2-7c1d-7a43-9f10-2b1d7c1e5a66'
const reasonFor = (method: string, path: string) => stepUpReasonFor({ method, path: `/api/v1${path}`, body: null })

it('the reason contains the amount and payee of a payment', () => {
  const body = { amountMinor: 2500, asset: 'USD', recipient: 'ann@example.com', note: 'Lunch' }
  expect(stepUpReasonFor({ method: 'POST', path: '/api/v1/transfers', body })).toEqual({
    kind: 'send',
    amount: '$25.00',
    payee: 'ann@example.com',
  })
})

it.each([
  ['DELETE', `/passkeys/${ID}`, 'Remove a passkey'],
  ['DELETE', '/passkeys/AbC_1-2', 'Remove a passkey'],
  ['POST', '/passkeys/options', 'Add a passkey'],
  ['DELETE', '/two-factor', 'Turn off two-factor authentication'],
  ['POST', '/profile/closure', 'Close your account'],
  ['GET', '/profile/export', 'Download your data'],
  ['POST', `/review/cases/${ID}/unlock`, 'Open a case and its documents'],
])('%s %s has the reason %s', (method, path, text) => expect(reasonFor(method, path)).toEqual({ kind: 'other', text }))

it.each([
  ['POST', '/something-new', null],
  ['POST', '/transfers', { amountMinor: '25', asset: 'USD', recipient: 'a' }],
  ['POST', '/transfers', { amountMinor: 25, asset: 'toString', recipient: 'a' }],
])('%s %s of %j has no text of its own', (method, path, body) =>
  expect(stepUpReasonFor({ method, path: `/api/v1${path}`, body })).toEqual({
    kind: 'other',
    text: 'Continue with your request',
  }),
)
