import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { test } from './live-mode.ts'

test('an empty account is closed permanently', async ({ page, live: { url, proveBooks } }) => {
  const [email, password] = ['leaving@example.com', 'a walk among alders']
  const begin = (path: string, data: object) =>
    page.request.post(`${url}/api/v1/${path}`, {
      data,
      headers: { origin: url, 'idempotency-key': randomUUID() },
    })
  expect((await begin('customers', { fullName: 'Ann Lee', email, phone: '+447700900555', password })).ok()).toBe(true)
  await page.goto(`${url}/security-privacy`)
  await page.getByRole('button', { name: 'Close My Account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close My Account' }).click()
  // A recent sign-up does not count as a proof of identity here.
  const proof = page.getByRole('dialog', { name: "Confirm it's you" })
  await proof.getByLabel('Your Password', { exact: true }).fill(password)
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(`${url}/`)
  expect((await page.request.get(`${url}/api/v1/me`)).status()).toBe(401)
  expect((await begin('session', { email, password })).status()).toBe(422)
  await proveBooks()
})
